//! The languages of the lab's output.

/// A language of the output. Names of algorithms, options and games are the same in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Language {
    /// English
    #[default]
    #[value(name = "en")]
    English,
    /// Spanish
    #[value(name = "es")]
    Spanish,
}

impl Language {
    /// Chooses between an English text and the same in Spanish.
    pub fn pick<T>(self, english: T, spanish: T) -> T {
        match self {
            Language::English => english,
            Language::Spanish => spanish,
        }
    }
}
