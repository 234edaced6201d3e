//! Quevedo at the command line.
use quevedo::tools::bench;
fn main() {
    let depth = std::env::args()
        .nth(2)
        .and_then(|d| d.parse().ok())
        .unwrap_or(bench::DEFAULT_DEPTH);
    let _ = bench::run(
        bench::Args {
            depth,
            threads: 1,
            hash: 16,
        },
        &mut std::io::stdout(),
    );
}
