//! The table of options.

use std::num::NonZeroU64;
use std::path::Path;

use super::{Applied, OptionKind, OptionSpec, OptionTarget};
use crate::book::play::{DEFAULT_BOOK_DEPTH, FULL_VARIETY};
use crate::engine::shorten;
use crate::search::skill::{DEFAULT_ELO, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, StrengthOptions};

/// Default size of the hash table, in MiB.
pub const DEFAULT_HASH: usize = 16;

/// The description that GUIs show.
const ABOUT: &str =
    "Quevedo, a free UCI chess engine (GPL-3.0-or-later), named after Leonardo Torres Quevedo";

/// All options, in the order in which GUIs list them.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: OptionKind::Spin {
            default: DEFAULT_HASH as i64,
            min: 1,
            max: 33_554_432,
            apply: |target, mebibytes| {
                target
                    .searcher
                    .set_hash(usize::try_from(mebibytes).unwrap_or(usize::MAX))
                    .map(|()| None)
                    .map_err(|error| format!("{error}; keeping the old table"))
            },
        },
        help: "Size of the hash table in MiB. A size beyond the available memory is refused and the old table kept.",
    },
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button {
            apply: |target| {
                target.searcher.clear_hash();
                Ok(None)
            },
        },
        help: "Clears the hash table and all else that was learnt from earlier searches.",
    },
    OptionSpec {
        name: "Never Clear Hash",
        kind: OptionKind::Check {
            default: false,
            apply: |target, never| {
                target.searcher.set_never_clear_hash(never);
                Ok(None)
            },
        },
        help: "Keeps the hash table between games. `Clear Hash` and another `EvalFile` clear it all the same.",
    },
    OptionSpec {
        name: "HashFile",
        kind: OptionKind::Path {
            apply: |target, path| {
                target.searcher.set_hash_file(path);
                Ok(None)
            },
        },
        help: "File for `Save Hash` and `Load Hash`.",
    },
    OptionSpec {
        name: "Save Hash",
        kind: OptionKind::Button {
            apply: |target| {
                target
                    .searcher
                    .save_hash()
                    .map(Some)
                    .map_err(|error| error.to_string())
            },
        },
        help: "Saves the hash table to `HashFile`.",
    },
    OptionSpec {
        name: "Load Hash",
        kind: OptionKind::Button {
            apply: |target| {
                target
                    .searcher
                    .load_hash()
                    .map(Some)
                    .map_err(|error| format!("{error}; keeping the old table"))
            },
        },
        help: "Loads the hash table from `HashFile`, with its size. Use `Never Clear Hash` to keep it when a new game begins.",
    },
    OptionSpec {
        name: "Threads",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 1024,
            apply: |target, threads| {
                target
                    .searcher
                    .set_threads(usize::try_from(threads).unwrap_or(usize::MAX))
                    .map(|()| None)
                    .map_err(|error| format!("{error}; keeping the old number"))
            },
        },
        help: "Number of search threads; the number of cores is best. Refused if there is not enough memory.",
    },
    OptionSpec {
        name: "MultiPV",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 256,
            apply: |target, lines| {
                target.searcher.options_mut().multipv = usize::try_from(lines).unwrap_or(1);
                Ok(None)
            },
        },
        help: "Number of best lines to show. One is strongest.",
    },
    OptionSpec {
        name: "Ponder",
        kind: OptionKind::Check {
            default: false,
            // The GUI says with every `go` whether to ponder.
            apply: |target, ponders| {
                target.searcher.options_mut().ponders = ponders;
                Ok(None)
            },
        },
        help: "Plans to think on the opponent's time, so that a move takes more of the clock. The GUI decides when to ponder.",
    },
    OptionSpec {
        name: "Move Overhead",
        kind: OptionKind::Spin {
            default: 10,
            min: 0,
            max: 5000,
            apply: |target, millis| {
                target.searcher.options_mut().move_overhead_ms = millis.max(0).unsigned_abs();
                Ok(None)
            },
        },
        help: "Time lost per move between engine and GUI, in milliseconds. Increase it for a slow connection.",
    },
    OptionSpec {
        name: "nodestime",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            apply: |target, nodes| {
                target.searcher.options_mut().nodes_per_ms =
                    NonZeroU64::new(nodes.max(0).unsigned_abs());
                Ok(None)
            },
        },
        help: "Counts this many nodes as a millisecond, so that games on a clock do not depend on the machine's speed; 0 for real time. As in Stockfish, for tests.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: OptionKind::Check {
            default: false,
            apply: |target, chess960| {
                target.front_end.set_chess960(chess960);
                Ok(None)
            },
        },
        help: "Writes castling as king takes rook, from the next position on. Chess960 positions are also recognised without it.",
    },
    OptionSpec {
        name: "EvalFile",
        kind: OptionKind::Path {
            apply: |target, path| {
                target
                    .searcher
                    .set_eval_file(path)
                    .map(|()| None)
                    .map_err(|error| format!("{error}; keeping the old evaluation"))
            },
        },
        help: "Network file to evaluate with, as written by `quevedo train`. Empty for the embedded network, `hand-written` for the hand-written evaluation.",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: OptionKind::Check {
            default: false,
            apply: |target, show| {
                target.front_end.set_show_wdl(show);
                Ok(None)
            },
        },
        help: "Adds the probabilities to win, draw and lose to each line, in thousandths.",
    },
    OptionSpec {
        name: "Minimal",
        kind: OptionKind::Check {
            default: false,
            apply: |target, minimal| {
                target.front_end.set_minimal(minimal);
                Ok(None)
            },
        },
        help: "Writes only the last line of each search (one for each rank with MultiPV), for tournaments with many fast games.",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: OptionKind::Check {
            default: false,
            apply: |target, analysing| {
                target.searcher.own_book_mut().analysing = analysing;
                change_strength(target, |it| it.analysing = analysing)
            },
        },
        help: "Analyses at full strength and without the book, whatever `UCI_LimitStrength`, `Skill Level` and `OwnBook` say.",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: OptionKind::Check {
            default: false,
            apply: |target, limited| change_strength(target, |it| it.limited = limited),
        },
        help: "Limits the playing strength to `UCI_Elo`.",
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: OptionKind::Spin {
            default: DEFAULT_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            apply: |target, elo| {
                change_strength(target, |it| it.elo = u32::try_from(elo).unwrap_or(MAX_ELO))
            },
        },
        help: "Rating to play at with `UCI_LimitStrength`, on the scale of Stockfish 15.1's option of the same name.",
    },
    OptionSpec {
        name: "Skill Level",
        kind: OptionKind::Spin {
            default: MAX_SKILL_LEVEL as i64,
            min: 0,
            max: MAX_SKILL_LEVEL as i64,
            apply: |target, skill| {
                change_strength(target, |it| {
                    it.skill_level = u32::try_from(skill).unwrap_or(MAX_SKILL_LEVEL);
                })
            },
        },
        help: "Strength for GUIs without `UCI_Elo`, which takes precedence: 0 to 19 divide the range of `UCI_Elo` evenly, 20 is full strength.",
    },
    OptionSpec {
        name: "LevelSeed",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            apply: |target, seed| change_strength(target, |it| it.seed = seed.unsigned_abs()),
        },
        help: "Makes play at limited strength repeatable: the same seed and game give the same move. 0 for different errors in every game.",
    },
    OptionSpec {
        name: "OwnBook",
        kind: OptionKind::Check {
            default: false,
            apply: |target, enabled| {
                target.searcher.own_book_mut().enabled = enabled;
                Ok(None)
            },
        },
        help: "Plays opening moves from the book at once, except under `go infinite`, `go ponder` and `go mate`.",
    },
    OptionSpec {
        name: "BookFile",
        kind: OptionKind::Path {
            apply: |target, path| {
                target
                    .searcher
                    .own_book_mut()
                    .load(path)
                    .map_err(|error| format!("{}: {error}; keeping the old book", quoted(path)))
            },
        },
        help: "Opening book in the Polyglot format. Empty for the embedded book.",
    },
    OptionSpec {
        name: "BookDepth",
        kind: OptionKind::Spin {
            default: DEFAULT_BOOK_DEPTH as i64,
            min: 0,
            max: 9_999,
            apply: |target, moves| {
                target.searcher.own_book_mut().max_move = u32::try_from(moves).unwrap_or(0);
                Ok(None)
            },
        },
        help: "Last move number to play from the book.",
    },
    OptionSpec {
        name: "BookVariety",
        kind: OptionKind::Spin {
            default: FULL_VARIETY as i64,
            min: 0,
            max: FULL_VARIETY as i64,
            apply: |target, variety| {
                target.searcher.own_book_mut().variety = u32::try_from(variety).unwrap_or(0);
                Ok(None)
            },
        },
        help: "0 always plays the book move with the greatest weight, 100 plays each move in proportion to its weight.",
    },
    OptionSpec {
        name: "BookSeed",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            apply: |target, seed| {
                target.searcher.own_book_mut().seed = u64::try_from(seed).unwrap_or(0);
                Ok(None)
            },
        },
        help: "Makes book moves repeatable: the same seed and position give the same move. 0 for a new choice each time.",
    },
    OptionSpec {
        name: "Debug Log File",
        kind: OptionKind::Path {
            apply: |target, path| {
                target
                    .front_end
                    .set_log(path)
                    .map(|()| None)
                    .map_err(|error| format!("{}: {error}", quoted(path)))
            },
        },
        help: "Appends every line read or written to this file, with the time, from when the option takes effect. Empty for no log.",
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: OptionKind::Path {
            apply: |target, path| {
                target
                    .searcher
                    .set_syzygy_path(path)
                    .map(Some)
                    .map_err(|error| format!("{error}; nothing has changed"))
            },
        },
        help: "Directories with Syzygy tablebases, separated by `;` (or `:` where paths contain none). Empty for none.",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 100,
            apply: |target, depth| {
                target.searcher.options_mut().syzygy_probe_depth =
                    u32::try_from(depth).unwrap_or(1);
                Ok(None)
            },
        },
        help: "Minimum remaining depth at which positions with as many pieces as the largest tablebases are probed. Smaller positions \
               are always probed. Increase it for slow disks.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: OptionKind::Spin {
            default: 7,
            min: 0,
            max: 7,
            apply: |target, pieces| {
                target.searcher.options_mut().syzygy_probe_limit =
                    u32::try_from(pieces).unwrap_or(0);
                Ok(None)
            },
        },
        help: "Probes positions with at most this many pieces; 0 for none.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: OptionKind::Check {
            default: true,
            apply: |target, rule| {
                target.searcher.options_mut().syzygy_50_move_rule = rule;
                Ok(None)
            },
        },
        help: "Counts tablebase wins that the fifty-move rule turns into draws as draws.",
    },
    OptionSpec {
        name: "UCI_EngineAbout",
        kind: OptionKind::Text {
            default: ABOUT,
            apply: |_, _| Ok(None),
        },
        help: "Describes the engine. Read-only.",
    },
];

fn change_strength(
    target: &mut OptionTarget<'_>,
    change: impl FnOnce(&mut StrengthOptions),
) -> Applied {
    target
        .searcher
        .change_strength(change)
        .map(|()| None)
        .map_err(|error| format!("{error}; keeping the old strength"))
}

/// Returns the beginning of a path in quotation marks, for a message.
fn quoted(path: &Path) -> String {
    format!("{:?}", shorten(&path.to_string_lossy()))
}
