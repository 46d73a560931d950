//! Runs that are still being written: of their files, only what was appended is read.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use failure_kinds_rows::{Check, End, FileId, Mark, Progress, RowSink, read_appended};

use crate::error::Unread;
use crate::file;
use crate::inputs::{Input, Inputs};
use crate::row::KEYS_READ;
use crate::tally::{Part, Tally};

/// Runs that are read again and again while they are written.
///
/// Of an uncompressed file, only what was appended is read; the last line when its newline is
/// there. A file that shrank or was replaced is read again from the start, and so is a compressed
/// one that has changed.
#[derive(Debug, Default)]
pub struct Watch {
    files: HashMap<PathBuf, Watched>,
}

/// What was read of a file so far.
#[derive(Debug)]
struct Watched {
    id: FileId,
    extent: Extent,
    part: Part,
    end: End,
}

/// How far a file was read.
#[derive(Debug)]
enum Extent {
    /// An uncompressed file, up to this mark; and the last bytes before it.
    UpTo(Mark, Vec<u8>),
    /// All of a file of this length, written at this time.
    Whole(u64, Option<SystemTime>),
}

/// How many bytes before a mark must still be the same.
const COMPARED: u64 = 256;

impl Watch {
    /// Forgets the files that are not among these inputs.
    pub(crate) fn forget_others(&mut self, inputs: &Inputs) {
        self.files.retain(|path, _| inputs.files().any(|file| file.path() == Some(path)));
    }

    /// Reads what is new in a file into sinks that `make` makes, and returns all of its rows.
    pub(crate) fn read_file<S: RowSink<KEYS_READ> + Into<Part>>(
        &mut self,
        input: &Input,
        check: Check,
        progress: &dyn Progress,
        make: impl FnMut() -> S,
        objects: fn(&Tally) -> u64,
    ) -> Result<(Part, End), Unread> {
        let Some(path) = input.path() else {
            return file::read(input, check, progress, make, objects);
        };
        let known = self.files.remove(path);
        let watched = Watched::read(known, input, path, check, progress, make, objects)?;
        let read = (watched.part.clone(), watched.end);
        self.files.insert(path.to_owned(), watched);
        Ok(read)
    }
}

impl Watched {
    fn read<S: RowSink<KEYS_READ> + Into<Part>>(
        known: Option<Self>,
        input: &Input,
        path: &Path,
        check: Check,
        progress: &dyn Progress,
        make: impl FnMut() -> S,
        objects: fn(&Tally) -> u64,
    ) -> Result<Self, Unread> {
        let id = FileId::of(path)?;
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let known = match known {
            Some(known) if known.id == id && known.extent.is_start_of(&mut file, &metadata)? => {
                Some(known)
            }
            _ => None,
        };
        let (mark, mut part) = match known {
            Some(Self { extent: Extent::UpTo(mark, _), part, .. }) => (mark, part),
            Some(whole) => return Ok(whole),
            None if input.open(&())?.is_plain() => (Mark::default(), Part::default()),
            None => {
                let (part, end) = file::read(input, check, progress, make, objects)?;
                let extent = Extent::Whole(metadata.len(), metadata.modified().ok());
                return Ok(Self { id, extent, part, end });
            }
        };
        let (rows, mark) = read_appended(&file, mark, check, progress, make)?;
        let mut appended = Part::default();
        for sink in rows.sinks {
            appended.merge(sink.into());
        }
        appended.number_lines(&rows.lines);
        part.merge(appended);
        if objects(&part.tally) == 0 {
            file::check_objects(&input.open(&())?, &part.tally, objects)?;
        }
        let extent = Extent::UpTo(mark, bytes_before(&mut file, mark)?);
        Ok(Self { id, extent, part, end: End::Whole })
    }
}

impl Extent {
    /// Whether the file still begins with what was read, or is the same as a whole.
    fn is_start_of(&self, file: &mut File, metadata: &Metadata) -> io::Result<bool> {
        match self {
            Self::UpTo(mark, before) => {
                Ok(metadata.len() >= mark.bytes && bytes_before(file, *mark)? == *before)
            }
            Self::Whole(length, modified) => {
                Ok(metadata.len() == *length && metadata.modified().ok() == *modified)
            }
        }
    }
}

/// The last bytes before a mark.
fn bytes_before(file: &mut File, mark: Mark) -> io::Result<Vec<u8>> {
    let length = mark.bytes.min(COMPARED);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(mark.bytes - length))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
