//! The errors of `quevedo lab`, in English and in Spanish.

use std::io;
use std::path::{Path, PathBuf};

use shakmaty::PositionErrorKinds;
use shakmaty::fen::ParseFenError;

use thiserror::Error;

use crate::lab::games::eight_puzzle::PuzzleError;
use crate::lab::games::explicit::TreeError;
use crate::lab::games::tic_tac_toe::BoardError;
use crate::lab::language::Language;
use crate::lab::outline::{MOST_LEAVES, TooLarge};
use crate::lab::search::Halt;
use crate::position::notation::FenError;
use crate::tools::ToolError;
use crate::tools::exit::{Exit, ToolFailure as _};
use crate::tools::is_closed_pipe;

/// Errors returned by `lab`.
#[derive(Debug, Error)]
pub enum LabError {
    /// An error that several tools share.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Arguments that make no sense, or not together.
    #[error("{english}")]
    Usage {
        /// The message in English.
        english: String,
        /// The message in Spanish.
        spanish: String,
    },
    /// A translated message about something that failed.
    #[error("{0}")]
    Failed(String),
    /// The text is not a position.
    #[error("--fen {fen:?}: {source}")]
    Fen {
        /// The text.
        fen: String,
        /// The fault.
        source: FenError,
    },
    /// The text is not a board.
    #[error("--board {board:?}: {source}")]
    Board {
        /// The text.
        board: String,
        /// The fault.
        source: BoardError,
    },
    /// A file is not a tree.
    #[error("{}: {source}", path.display())]
    Tree {
        /// The file.
        path: PathBuf,
        /// The fault and its place.
        source: TreeError,
    },
    /// The text is not a puzzle.
    #[error("--tiles {tiles:?}: {source}")]
    Puzzle {
        /// The text.
        tiles: String,
        /// The fault.
        source: PuzzleError,
    },
    /// There is too much to show.
    #[error("{0}; give a smaller --depth")]
    TooLarge(#[from] TooLarge),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// An algorithm did not finish.
    #[error("{algorithm}: {halt}; give a smaller --depth, or more --seconds or --memory")]
    Halt {
        /// Its name.
        algorithm: &'static str,
        /// The reason.
        halt: Halt,
    },
    /// The output cannot be written to.
    #[error("output: {0}")]
    Output(#[from] io::Error),
}

impl LabError {
    /// Creates an error about arguments that make no sense.
    pub(super) fn usage(english: impl Into<String>, spanish: impl Into<String>) -> LabError {
        LabError::Usage {
            english: english.into(),
            spanish: spanish.into(),
        }
    }

    /// Replaces the message by the same in another language.
    pub(super) fn translated(self, language: Language) -> LabError {
        // A closed pipe is no failure. Its message is not shown, and the text alone does not tell.
        if language == Language::English || is_closed_pipe(&self) {
            return self;
        }
        let text = match &self {
            LabError::Tool(ToolError::SameFile(path)) => format!(
                "{}: la entrada y la salida han de ser ficheros distintos",
                path.display()
            ),
            LabError::Tool(ToolError::Io { what, source }) => {
                format!("{what}: {}", io_fault(Path::new(what), source))
            }
            LabError::Tool(error) => error.to_string(),
            LabError::Usage { spanish, .. } => spanish.clone(),
            LabError::Failed(text) => text.clone(),
            LabError::Fen { fen, source } => format!("--fen {fen:?}: {}", fen_fault(source)),
            LabError::Board { board, source } => {
                let fault = match source {
                    BoardError::Length(count) => {
                        format!("{count} casillas, y hacen falta nueve, como X.O/.X./..O")
                    }
                    BoardError::Square(c) => format!("{c:?} no es X, O ni . (vacía)"),
                    BoardError::TwoWinners => "los dos jugadores tienen tres en raya".to_owned(),
                };
                format!("--board {board:?}: {fault}")
            }
            LabError::Tree { path, source } => {
                format!("{}: {}", path.display(), source.text(language))
            }
            LabError::Puzzle { tiles, source } => {
                let fault = match source {
                    PuzzleError::Length(count) => format!("{count} cifras, y hacen falta nueve"),
                    PuzzleError::Digit(c) => format!("{c:?} no es una cifra de 0 a 8"),
                    PuzzleError::Twice(tile) => format!("{tile} aparece dos veces"),
                    PuzzleError::Unsolvable => {
                        "desde aquí no se llega a 123456780: intercambie dos fichas".to_owned()
                    }
                };
                format!("--tiles {tiles:?}: {fault}")
            }
            LabError::TooLarge(_) => format!(
                "el árbol tiene más de {MOST_LEAVES} hojas: demasiadas; dé un --depth menor"
            ),
            LabError::File { path, source } => {
                format!("{}: {}", path.display(), io_fault(path, source))
            }
            LabError::Halt { algorithm, halt } => format!(
                "{algorithm}: {}; dé un --depth menor, o más --seconds o --memory",
                halt.text(language)
            ),
            LabError::Output(_) => "no se puede escribir la salida".to_owned(),
        };
        if self.exit() == Exit::Unusable {
            LabError::usage(text.clone(), text)
        } else {
            LabError::Failed(text)
        }
    }
}

/// Returns what is wrong with a file, in Spanish.
fn io_fault(path: &Path, error: &io::Error) -> &'static str {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match error.kind() {
        io::ErrorKind::NotFound if folder.is_some_and(|folder| !folder.exists()) => {
            "no existe la carpeta"
        }
        io::ErrorKind::NotFound => "no existe",
        io::ErrorKind::IsADirectory => "es una carpeta",
        io::ErrorKind::NotADirectory => "la ruta pasa por un fichero que no es una carpeta",
        io::ErrorKind::InvalidData => "no es texto en UTF-8 ni en UTF-16",
        io::ErrorKind::PermissionDenied => "sin permiso",
        _ => "no se puede leer o escribir",
    }
}

/// Returns what is wrong with a FEN, in Spanish.
fn fen_fault(error: &FenError) -> String {
    match error {
        FenError::Syntax(fault) => {
            let field = match fault {
                ParseFenError::InvalidBoard => "el tablero",
                ParseFenError::InvalidTurn => "el turno",
                ParseFenError::InvalidCastling => "el enroque",
                ParseFenError::InvalidEpSquare => "la casilla de captura al paso",
                ParseFenError::InvalidHalfmoveClock => "la cuenta de 50 jugadas",
                ParseFenError::InvalidFullmoves => "el número de jugada",
                _ => "la forma",
            };
            format!("no es FEN: falla {field}")
        }
        FenError::Variant => "una posición de crazyhouse o de ajedrez a tres jaques".to_owned(),
        FenError::Illegal(fault) => {
            let faults = [
                (PositionErrorKinds::EMPTY_BOARD, "el tablero está vacío"),
                (PositionErrorKinds::MISSING_KING, "falta un rey"),
                (PositionErrorKinds::TOO_MANY_KINGS, "sobra un rey"),
                (
                    PositionErrorKinds::PAWNS_ON_BACKRANK,
                    "hay peones en la primera o la última fila",
                ),
                (
                    PositionErrorKinds::OPPOSITE_CHECK,
                    "está en jaque quien acaba de mover",
                ),
            ];
            let found = faults
                .iter()
                .find(|(kind, _)| fault.kinds().contains(*kind));
            let fault = found.map_or("no se puede jugar", |(_, text)| text);
            format!("posición ilegal: {fault}")
        }
    }
}
