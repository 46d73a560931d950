//! The configuration of each file: that of the nearest `failure-kinds.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use failure_kinds_core::text::EscapedPath;

use super::{Config, FILE_NAME, File};
use crate::error::Error;
use crate::paths;

/// Finds configurations, and reads each file once.
#[derive(Debug)]
pub(crate) struct Finder {
    /// The configuration of all files, if one was given.
    given: Option<Arc<Config>>,
    /// The working directory, in which there may be no project at all.
    folder: PathBuf,
    files: BTreeMap<PathBuf, Arc<File>>,
    /// Those of folders that were asked for.
    configs: BTreeMap<PathBuf, Arc<Config>>,
}

impl Finder {
    pub(crate) fn new(given: Option<Config>, folder: PathBuf) -> Self {
        let given = given.map(Arc::new);
        Self { given, folder, files: BTreeMap::new(), configs: BTreeMap::new() }
    }

    /// The configuration of the files in a folder, whose path is absolute and normal.
    pub(crate) fn of_folder(&mut self, folder: &Path) -> Result<Arc<Config>, Error> {
        if let Some(config) = self.given.as_ref().or_else(|| self.configs.get(folder)) {
            return Ok(Arc::clone(config));
        }
        let path = folder.join(FILE_NAME);
        let config = if path.is_file() {
            Arc::new(Config::of_files(chain(&path, &mut self.files)?))
        } else {
            match folder.parent() {
                Some(parent) if !is_project(folder) || has_config_above(parent) => {
                    self.of_folder(parent)?
                }
                // What is test code depends on the path inside the project, if there is one.
                Some(_) if is_project(folder) => Arc::new(Config::default_for(folder.to_owned())),
                _ => Arc::new(Config::default_for(self.folder.clone())),
            }
        };
        self.configs.insert(folder.to_owned(), Arc::clone(&config));
        Ok(config)
    }

    /// All configurations that were found, each once.
    pub(crate) fn all(&self) -> Vec<&Config> {
        let mut all: Vec<&Config> = Vec::new();
        for config in self.given.iter().chain(self.configs.values()) {
            if !all.iter().any(|other| std::ptr::eq(*other, &raw const **config)) {
                all.push(config);
            }
        }
        all
    }
}

fn has_config_above(folder: &Path) -> bool {
    folder.ancestors().any(|folder| folder.join(FILE_NAME).is_file())
}

/// Whether a folder is the root of a project without a configuration.
fn is_project(folder: &Path) -> bool {
    ["pyproject.toml", "Cargo.toml", "package.json", ".git"]
        .iter()
        .any(|name| folder.join(name).exists())
}

/// A file and those that it extends, the outermost first.
pub(super) fn chain(
    path: &Path,
    known: &mut BTreeMap<PathBuf, Arc<File>>,
) -> Result<Vec<Arc<File>>, Error> {
    let mut chain: Vec<Arc<File>> = Vec::new();
    let mut next = Some(paths::absolute(path)?);
    while let Some(path) = next.take() {
        if chain.iter().any(|file| file.source.path == path) {
            let path = EscapedPath(&path);
            return Err(Error::new(format!("`{path}` extends itself, directly or through others")));
        }
        let file = match known.get(&path) {
            Some(file) => Arc::clone(file),
            None => Arc::new(File::read(&path)?),
        };
        let extends = file.extends.clone();
        known.insert(path, Arc::clone(&file));
        chain.push(file);
        next = extends;
    }
    chain.reverse();
    Ok(chain)
}
