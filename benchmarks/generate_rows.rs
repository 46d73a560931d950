//! Writes seeded rows: `generate-rows large 1200MB rows.jsonl`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use failure_kinds_benchmarks::rows::Rows;

const USAGE: &str = "usage: generate-rows large|medium|small SIZE FILE [SEED]
SIZE is a number of bytes, or of millions of them: 1200MB. The default of SEED is 1.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((mut rows, bytes, path)) = read(&arguments) else {
        return fail(USAGE);
    };
    match write(&mut rows, bytes, path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("error: cannot write `{}`: {error}\n", path.escape_debug())),
    }
}

fn fail(text: &str) -> ExitCode {
    // Standard error may be closed; the exit code still reports the error.
    let _ = io::stderr().write_all(text.as_bytes());
    ExitCode::from(2)
}

fn read(arguments: &[String]) -> Option<(Rows, u64, &str)> {
    let [shape, size, path, seed @ ..] = arguments else { return None };
    let bytes = match size.strip_suffix("MB") {
        Some(millions) => millions.parse::<u64>().ok()?.checked_mul(1_000_000)?,
        None => size.parse().ok()?,
    };
    let seed = match seed {
        [] => 1,
        [seed] => seed.parse().ok()?,
        _ => return None,
    };
    Some((Rows::new(shape, seed)?, bytes, path))
}

/// Writes whole rows until they have at least this size.
fn write(rows: &mut Rows, bytes: u64, path: &str) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut written = 0;
    while written < bytes {
        let row = rows.next_row();
        out.write_all(row)?;
        written += row.len() as u64;
    }
    out.flush()
}
