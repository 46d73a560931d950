//! Where a report goes: standard output, or a file that is written completely or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anstream::StripStream;

use crate::fault::Fault;
use crate::terminal;
#[cfg(feature = "triage")]
use failure_kinds_core::text::EscapedPath;
#[cfg(feature = "triage")]
use failure_kinds_rows::FileId;
#[cfg(feature = "triage")]
use failure_kinds_triage::inputs;

/// The destination of a report.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout,
    File {
        /// As it was named.
        file: PathBuf,
        /// Where its links lead, so that they stay links.
        target: PathBuf,
    },
}

impl Output {
    /// A file, if one is given. It must not be one of those that are read.
    #[cfg(feature = "triage")]
    pub(crate) fn new<'i>(
        file: Option<&Path>,
        mut read: impl Iterator<Item = &'i Path>,
    ) -> Result<Self, Fault> {
        let Some(file) = file else { return Ok(Self::Stdout) };
        let refuse = |why: &str| {
            let file = EscapedPath(file);
            Err(Fault::new(format!("`{file}` {why}, so no report is written to it")))
        };
        // Fail now, not after hours of reading.
        if file.is_dir() {
            return refuse("is a folder");
        }
        // `None` for a file that does not exist yet.
        let id = FileId::of(file).ok();
        let is_it = |path: &Path| id.is_some() && FileId::of(path).ok() == id;
        // Another name of standard output.
        if is_it(Path::new("/dev/stdout")) {
            return Ok(Self::Stdout);
        }
        let Some(target) = follow(file) else { return refuse("is a link in a circle") };
        if !folder_of(&target).is_dir() {
            return refuse("is in no folder that exists");
        }
        if read.any(is_it) {
            return refuse("is read");
        }
        if id.is_some() && inputs::is_capture(&target) {
            return refuse("holds captures of model calls");
        }
        Ok(Self::File { file: file.to_owned(), target })
    }

    /// Writes what `render` writes to a stream. An existing file is replaced only when the new one
    /// is complete.
    pub(crate) fn write(
        &self,
        render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Fault> {
        match self {
            Self::Stdout => written(buffered(terminal::stdout(), render)),
            Self::File { file, target } => write_file(file, target, |file| {
                buffered(StripStream::new(file.try_clone()?), render)
            }),
        }
    }

    /// The same for what has no styles, so that they need not be looked for.
    #[cfg(feature = "triage")]
    pub(crate) fn write_unstyled(
        &self,
        render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Fault> {
        match self {
            Self::Stdout => written(buffered(io::stdout().lock(), render)),
            Self::File { file, target } => write_file(file, target, |file| buffered(file, render)),
        }
    }

    /// Writes bytes as they are. On a terminal, control characters are escaped.
    #[cfg(feature = "triage")]
    pub(crate) fn write_bytes(&self, bytes: &[u8]) -> Result<(), Fault> {
        match self {
            Self::Stdout if io::IsTerminal::is_terminal(&io::stdout()) => self.write(|stream| {
                String::from_utf8_lossy(bytes).lines().try_for_each(|line| {
                    writeln!(stream, "{}", failure_kinds_core::text::Escaped(line))
                })
            }),
            _ => self.write_unstyled(|stream| stream.write_all(bytes)),
        }
    }
}

/// Writes what `render` writes.
fn buffered(
    stream: impl Write,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut stream = BufWriter::new(stream);
    let result = render(&mut stream).and_then(|()| stream.flush());
    // Do not flush the rest of the buffer on drop.
    drop(stream.into_parts());
    result
}

/// The result of writing to standard output.
pub(crate) fn written(result: io::Result<()>) -> Result<(), Fault> {
    terminal::unless_closed(result)
        .map_err(|error| Fault::new(format!("cannot write to standard output: {error}")))
}

/// Writes to the target of a file.
fn write_file(
    file: &Path,
    target: &Path,
    write: impl FnOnce(&mut fs::File) -> io::Result<()>,
) -> Result<(), Fault> {
    let result = if is_device(target) {
        fs::File::create(target).and_then(|mut file| write(&mut file))
    } else {
        replace(target, write)
    };
    result.map_err(|error| Fault::io("write", file, &error))
}

/// Whether it is a device or a pipe, which cannot be replaced.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The most links that are followed, as on most systems.
#[cfg(feature = "triage")]
const LINKS: usize = 40;

/// Follows links, even to a file that does not exist. `None` if they form a circle.
#[cfg(feature = "triage")]
fn follow(file: &Path) -> Option<PathBuf> {
    let mut target = file.to_owned();
    for _ in 0..LINKS {
        // The link of a process to a pipe leads to no path.
        if is_device(&target) {
            return Some(target);
        }
        match fs::read_link(&target) {
            Ok(link) => target = folder_of(&target).join(link),
            Err(_) => return Some(target),
        }
    }
    None
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Replaces a file with what `write` writes, and keeps its permissions. A reader of the file sees
/// the old contents or the new ones, never a part.
pub(crate) fn replace(
    file: &Path,
    write: impl FnOnce(&mut fs::File) -> io::Result<()>,
) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // The mode of a new file, before the umask.
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let temporary = builder.prefix(".failure-kinds").tempfile_in(folder_of(file));
    // Without the name of the temporary file, which means nothing to the user.
    let mut temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
    write(temporary.as_file_mut())?;
    if let Ok(metadata) = fs::metadata(file) {
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(file)?;
    Ok(())
}
