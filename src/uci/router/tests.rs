//! Tests of the command router.

use super::*;
use std::sync::Arc;

/// Feeds text to the router and returns the queue.
fn feed(router: &Arc<CommandRouter>, text: &[u8]) -> Vec<Job> {
    let output = UciOutput::new(Box::new(io::sink()), router.clone());
    let (sender, receiver) = crossbeam_channel::unbounded();
    read_commands(text, router, &sender, &output);
    receiver.try_iter().collect()
}

#[test]
fn the_queue_keeps_the_order() {
    let router = Arc::new(CommandRouter::default());
    let jobs = feed(
        &router,
        b"uci\r\n\r\nisready\n\xff\xfe\ngo depth 1\nd\nquit\nuci\n",
    );
    assert!(
        matches!(
            &jobs[..],
            [
                Job::Command(Command::Uci),
                Job::Command(Command::IsReady),
                Job::Refused(CommandError::Unknown(_)),
                Job::Work { number: 1, .. },
                Job::Command(Command::Display),
                Job::Command(Command::Quit),
            ]
        ),
        "{jobs:?}"
    );
    assert!(router.control().is_stopped(1) && !router.control().is_stopped(2));
}

#[test]
fn the_end_of_input_stops_only_unbounded_work() {
    let router = Arc::new(CommandRouter::default());
    router.begin_work(1, Ending::Limits);
    feed(&router, b"go depth 3\ngo infinite");
    assert!(!router.control().is_stopped(1), "it runs to its end");
    router.begin_work(2, Ending::Stop);
    assert!(
        router.control().is_stopped(2),
        "nobody can stop it any more"
    );
    router.begin_work(3, Ending::Limits);
    assert!(!router.control().is_stopped(3));
    let router = Arc::new(CommandRouter::default());
    router.begin_work(1, Ending::Stop);
    feed(&router, b"");
    assert!(router.control().is_stopped(1));
    // A pondered move that was played leaves the search to its limits.
    for (input, is_stopped) in [
        (&b"go ponder btime 9"[..], true),
        (b"go ponder btime 9\nponderhit", false),
    ] {
        let router = Arc::new(CommandRouter::default());
        feed(&router, input);
        router.begin_work(1, Ending::LimitsAfterPonderHit);
        assert_eq!(router.control().is_stopped(1), is_stopped);
    }
}

#[test]
fn isready_behind_waiting_work_is_answered_when_it_begins() {
    let router = Arc::new(CommandRouter::default());
    let jobs = feed(&router, b"go infinite\nisready\nisready\n");
    assert_eq!(jobs.len(), 2, "{jobs:?}");
    assert_eq!(router.begin_work(1, Ending::Limits), 2);
    let jobs = feed(&router, b"isready\n");
    assert_eq!(jobs.len(), 1, "answered at once: {jobs:?}");
    let jobs = feed(&router, b"stop\nisready\n");
    assert_eq!(jobs.len(), 2, "takes its turn after stop: {jobs:?}");
    router.end_work();
    let jobs = feed(&router, b"isready\n");
    assert_eq!(jobs.len(), 2, "takes its turn: {jobs:?}");
}

#[test]
fn stop_reaches_what_was_read_before_it() {
    let router = Arc::new(CommandRouter::default());
    feed(
        &router,
        b"stop\ngo infinite\ngo infinite\nstop\ngo infinite\nponderhit",
    );
    let control = router.control();
    assert!(control.is_stopped(2) && !control.is_stopped(3));
    assert!(control.ponderhit_time(3).is_some());
}

#[test]
fn a_line_that_is_too_long_is_not_kept() {
    let router = Arc::new(CommandRouter::default());
    let mut text = vec![b'x'; MAX_LINE as usize + 10];
    text.extend_from_slice(b"\nuci");
    let jobs = feed(&router, &text);
    assert!(
        matches!(
            &jobs[..],
            [
                Job::TooLong,
                Job::Command(Command::Uci),
                Job::Command(Command::Quit)
            ]
        ),
        "{}",
        jobs.len()
    );
}
