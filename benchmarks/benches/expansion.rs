//! What a use of `failure_kind!` adds to the time of `cargo check` and `cargo build`.
//!
//! Writes crates of 10,000 functions, one use in each, and compiles each several times: with the
//! macro, with the constant that the macro expands to, with a call that is checked at run time, and
//! with a check in a `const` block. Prints the user CPU time of the compilers from `/proc`, so it only
//! runs on Linux, and other load hardly matters.

#![allow(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use failure_kinds::FAILURE_KINDS;

const USES: u32 = 10_000;
const RUNS: usize = 9;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How the functions of one crate name a kind.
struct Variant {
    name: &'static str,
    use_of: fn(u32) -> String,
    /// The variant that names a constant.
    beside: Option<usize>,
}

const VARIANTS: [Variant; 6] = [
    Variant {
        name: "registered, constant",
        use_of: |index| format!("failure_kinds::kinds::{}", registered(index).to_uppercase()),
        beside: None,
    },
    Variant {
        name: "registered, macro",
        use_of: |index| format!("failure_kinds::failure_kind!(\"{}\")", registered(index)),
        beside: Some(0),
    },
    Variant { name: "extension, constant", use_of: |_| "OURS".into(), beside: None },
    Variant {
        name: "extension, macro",
        use_of: |index| format!("failure_kinds::failure_kind!(\"my_server:odd_case_{index}\")"),
        beside: Some(2),
    },
    Variant {
        name: "extension, plain call",
        use_of: |index| {
            format!("failure_kinds::FailureKind::from_static(\"my_server:odd_case_{index}\")")
        },
        beside: Some(2),
    },
    Variant {
        name: "extension, const block",
        use_of: |index| {
            format!(
                "const {{ failure_kinds::FailureKind::from_static(\"my_server:odd_case_{index}\") }}"
            )
        },
        beside: Some(2),
    },
];

fn registered(index: u32) -> &'static str {
    FAILURE_KINDS[index as usize % FAILURE_KINDS.len()].as_str()
}

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expansion");
    let crates: Vec<_> =
        VARIANTS.iter().map(|variant| generate(&folder, variant)).collect::<Result<_>>()?;
    println!("{USES} uses, user CPU time, median of {RUNS} runs");
    for command in ["check", "build"] {
        for krate in &crates {
            compile(command, krate)?; // The dependencies.
        }
        let mut times = [const { Vec::new() }; VARIANTS.len()];
        for _ in 0..RUNS {
            for (krate, times) in crates.iter().zip(&mut times) {
                times.push(compile(command, krate)?);
            }
        }
        let medians = times.map(|mut times| {
            times.sort_unstable();
            times[RUNS / 2]
        });
        for (variant, median) in VARIANTS.iter().zip(medians) {
            print!("cargo {command}  {:<22}  {:>6} ms", variant.name, median.as_millis());
            if let Some(beside) = variant.beside {
                let more = (median.as_secs_f64() - medians[beside].as_secs_f64()) * 1e6;
                print!("  {:>5.1} µs more a use", more / f64::from(USES));
            }
            println!();
        }
    }
    Ok(())
}

/// Writes the crate of a variant and returns its folder.
fn generate(folder: &Path, variant: &Variant) -> Result<PathBuf> {
    let folder = folder.join(variant.name.replace(", ", "-"));
    fs::create_dir_all(folder.join("src"))?;
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../failure-kinds");
    let manifest = format!(
        "[package]\nname = \"uses\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nfailure-kinds = {{ path = \"{}\" }}\n[workspace]\n",
        runtime.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // The workspace's, so that nothing is looked up.
    fs::copy(runtime.join("../Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut source = String::from(
        "pub const OURS: failure_kinds::FailureKind =\n    \
         failure_kinds::FailureKind::from_static(\"my_server:odd_case\");\n",
    );
    for index in 0..USES {
        let value = (variant.use_of)(index);
        writeln!(source, "pub fn f{index}() -> failure_kinds::FailureKind {{ {value} }}")?;
    }
    fs::write(folder.join("src/lib.rs"), source)?;
    Ok(folder)
}

/// Compiles the crate from scratch and returns the user CPU time that it took.
fn compile(command: &str, krate: &Path) -> Result<Duration> {
    let source = krate.join("src/lib.rs");
    fs::write(&source, fs::read(&source)?)?;
    let before = user_time_of_children()?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([command, "--quiet", "--offline"])
        .current_dir(krate)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", krate.join("../target"))
        .status()?;
    if !status.success() {
        return Err(format!("cargo {command} failed in {}", krate.display()).into());
    }
    Ok(user_time_of_children()?.saturating_sub(before))
}

/// The user CPU time of all children that have ended, in steps of 10 ms.
fn user_time_of_children() -> Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name in parentheses may contain anything; `cutime` is field 16, the 14th after it.
    let after = stat.rsplit_once(") ").ok_or("no name in /proc/self/stat")?.1;
    let ticks: u64 = after.split(' ').nth(13).ok_or("no cutime in /proc/self/stat")?.parse()?;
    Ok(Duration::from_millis(ticks * 10))
}
