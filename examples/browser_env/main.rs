//! An environment that declares on whose side its failures are, and an operator who overrides it.
//!
//! ```text
//! cargo run -p failure-kinds-examples --example browser_env
//! cargo run -p failure-kinds-examples --example browser_env -- examples/browser_env/service.yaml
//! ```
//!
//! With `--classification` after the file, it prints the environment's declaration as a
//! classification file, for `failure-kinds triage --config`.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

mod environment;
mod service;

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use failure_kinds::{
    Evidence, FailureClassificationConfig, FailureKind, FailureStage, failure_kind,
};

use crate::environment::BrowserEnv;
use crate::service::Service;

/// One failure as the service saw it: the kind, the stage that it admits, and the status.
type Failure = (FailureKind, Option<FailureStage>, Option<u16>);

/// Failures of several stages.
fn failures() -> Vec<Failure> {
    use FailureStage::{Agent, Seed, Verification};
    vec![
        (failure_kind!("provider_unavailable"), Some(Seed), Some(503)),
        (BrowserEnv::TAB_CRASHED, Some(Agent), None),
        (BrowserEnv::CAPTCHA_WALL, Some(Agent), None),
        (failure_kind!("agent_command_not_allowed"), Some(Agent), None),
        (failure_kind!("provider_oom_killed"), Some(Agent), None),
        (failure_kind!("provider_oom_killed"), None, None),
        (failure_kind!("judge_failed"), Some(Verification), Some(429)),
    ]
}

/// The side of a failure and the rule that put it there.
fn side(config: &FailureClassificationConfig, (kind, stage, status): &Failure) -> String {
    let mut evidence = Evidence::new().kind(kind.as_str()).http_status(status);
    if let Some(stage) = stage {
        // The service ran the stage itself, so it admits it.
        evidence = evidence.stage(*stage).admit_stage();
    }
    let classification = config.classify(&evidence);
    format!("{} by {}", classification.class, classification.rule)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args_os().skip(1);
    let file = args.next().map_or_else(|| here("service.toml"), PathBuf::from);
    let service = Service::read(&file)?;
    let declared = service.declared()?;
    if args.next().is_some_and(|flag| flag == "--classification") {
        println!("{}", serde_json::to_string_pretty(&declared)?);
        return Ok(());
    }

    let effective = service.effective(file.parent().unwrap_or(Path::new("")))?;
    println!("listening on port {}\n", service.port);
    for failure in failures() {
        let (kind, stage, status) = &failure;
        print!("{kind}");
        if let Some(stage) = stage {
            print!(" in stage {stage}");
        }
        if let Some(status) = status {
            print!(" with status {status}");
        }
        println!();
        let (says, sees) = (side(&declared, &failure), side(&effective, &failure));
        println!("  the environment says: {says}");
        if says != sees {
            println!("  the operator sees:    {sees}");
        }
    }
    Ok(())
}

/// A file in the folder of this one.
fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("browser_env").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(config: &FailureClassificationConfig) -> Vec<String> {
        failures().iter().map(|failure| side(config, failure)).collect()
    }

    #[test]
    fn both_files_say_the_same() {
        let [toml, yaml] =
            ["service.toml", "service.yaml"].map(|name| Service::read(&here(name)).unwrap());
        assert_eq!(toml.declared().unwrap(), yaml.declared().unwrap());
        let folder = here("");
        assert_eq!(toml.effective(&folder).unwrap(), yaml.effective(&folder).unwrap());
    }

    #[test]
    fn the_operator_changes_the_report() {
        let service = Service::read(&here("service.toml")).unwrap();
        assert_eq!(
            sides(&service.declared().unwrap()),
            [
                "evaluation by stage seed: default",
                "evaluation by stage agent: browser_env:tab_crashed",
                "model by stage agent: browser_env:captcha_wall",
                "model by stage agent: default",
                "model by stage agent: provider_oom_killed",
                "unknown by fallback",
                "evaluation by stage verification: default",
            ]
        );
        assert_eq!(
            sides(&service.effective(&here("")).unwrap()),
            [
                "evaluation by stage seed: default",
                "evaluation by stage agent: browser_env:tab_crashed",
                "model by stage agent: browser_env:captcha_wall",
                "model by stage agent: default",
                "evaluation by stage agent: provider_oom_killed",
                "evaluation by kind provider_oom_killed",
                "unknown by http status 429",
            ]
        );
    }
}
