//! Files that are generated in whole or in part.

use std::fs;

use failure_kinds::{FailureClassificationConfig, FailureClassificationOverrides};
use schemars::generate::SchemaSettings;

use crate::repository::{cargo, failure_kinds, read, root};
use crate::{Result, cases, dependencies, features, findings, guides, policy, public_api, python};

/// A file that is generated in whole or in part.
struct Generated {
    path: &'static str,
    /// The text that the file should have, given its current text. What is written by hand stays.
    text: fn(&str) -> Result<String>,
}

const FILES: &[Generated] = &[
    Generated { path: "registry.json", text: |_| failure_kinds(&["list", "--format", "json"]) },
    Generated {
        path: "registry.schema.json",
        text: |_| failure_kinds(&["list", "--format", "schema"]),
    },
    Generated {
        path: "otel/failure_kinds.yaml",
        text: |_| failure_kinds(&["list", "--format", "weaver"]),
    },
    Generated { path: "failure-kinds-cli/src/config/schema.json", text: |_| schema() },
    Generated {
        path: "failure-classification.schema.json",
        text: |_| failure_kinds(&["config", "schema"]),
    },
    Generated { path: "failure-kinds-cli/tests/cli/list.txt", text: |_| failure_kinds(&["list"]) },
    Generated {
        path: "failure-kinds-cli/tests/cli/config/default.toml",
        text: |_| failure_kinds(&["config", "default"]),
    },
    Generated {
        path: "failure-kinds-cli/tests/cli/config/default.yaml",
        text: |_| failure_kinds(&["config", "default", "--format", "yaml"]),
    },
    Generated { path: "tests/tests/contract/config/default.json", text: |_| default_json() },
    Generated { path: "examples/browser_env/classification.json", text: |_| browser_env() },
    Generated {
        path: "failure-kinds-python/python/failure_kinds/_names.py",
        text: |_| Ok(python::names()),
    },
    Generated { path: "failure-kinds-cli/src/html/policy.txt", text: |_| policy::text() },
    Generated { path: "docs/classification.md", text: guides::classification },
    Generated { path: "docs/lint.md", text: guides::lint },
    Generated { path: ".pre-commit-hooks.yaml", text: guides::hook },
    Generated { path: "docs/findings.md", text: |_| findings::page() },
    Generated { path: "docs/public-api/failure-kinds.txt", text: public_api::runtime },
    Generated { path: "docs/public-api/failure-kinds-core.txt", text: public_api::core },
    Generated { path: "docs/dependencies.md", text: dependencies::text },
    Generated { path: "docs/features.md", text: features::text },
    Generated { path: "tests/README.md", text: cases::text },
];

/// Writes the stale files, and returns the errors of the others.
pub(crate) fn write() -> Vec<String> {
    each(|path, committed, generated| {
        if committed != generated {
            fs::write(root().join(path), generated)?;
            eprintln!("wrote {path}");
        }
        Ok(())
    })
}

/// Reports which files are stale.
pub(crate) fn check() -> Vec<String> {
    each(|path, committed, generated| {
        let stale = format!("{path} is stale; run `cargo xtask regen`");
        if committed == generated { Ok(()) } else { Err(stale.into()) }
    })
}

fn each(visit: fn(&str, &str, &str) -> Result) -> Vec<String> {
    let visit = |file: &Generated| {
        let committed = read(file.path)?;
        visit(file.path, &committed, &(file.text)(&committed)?)
    };
    FILES.iter().filter_map(|file| visit(file).err()).map(|error| error.to_string()).collect()
}

/// The full form of the default configuration.
fn default_json() -> Result<String> {
    let default = FailureClassificationConfig::shared_default();
    Ok(serde_json::to_string_pretty(default)? + "\n")
}

/// The schema of classification files. The command prints it without the code that makes it.
fn schema() -> Result<String> {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<FailureClassificationOverrides>();
    schema.insert("title".to_owned(), "failure-kinds classification".into());
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

/// The classification that the example declares.
fn browser_env() -> Result<String> {
    let run = ["run", "--quiet", "--locked", "--package", "failure-kinds-examples"];
    let example = ["--example", "browser_env", "--"];
    let arguments = ["examples/browser_env/service.toml", "--classification"];
    cargo(&[&run[..], &example, &arguments].concat())
}
