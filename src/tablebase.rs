//! Syzygy endgame tablebases.
