//! The Universal Chess Interface: text in, text out.
