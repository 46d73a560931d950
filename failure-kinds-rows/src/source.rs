//! The bytes of a file or of standard input, unpacked where they are compressed.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use crate::Progress;

/// How much of a compressed file is read at once.
const PACKED: usize = 128 << 10;
/// The magic number of a gzip member.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The magic number of a zstandard frame.
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// A stream of rows. The compression is told by content, never by name.
pub struct Source<'p> {
    bytes: Bytes<'p>,
    cut_short: bool,
    /// The file that the bytes come from, as they are stored.
    pub(super) file: Option<StoredFile<'p>>,
}

/// A file whose rows are stored as they are, and can be read from any place.
pub(super) struct StoredFile<'p> {
    pub(super) file: Arc<File>,
    /// When it was opened.
    pub(super) length: u64,
    pub(super) progress: &'p dyn Progress,
}

type Stored<'p> = BufReader<io::Chain<io::Cursor<Vec<u8>>, Raw<'p>>>;

enum Bytes<'p> {
    Plain(Stored<'p>),
    Gzip(Box<flate2::bufread::MultiGzDecoder<Stored<'p>>>),
    Zstandard(zstd::Decoder<'static, Stored<'p>>),
}

impl<'p> Source<'p> {
    /// Standard input.
    ///
    /// # Errors
    ///
    /// When its first bytes cannot be read.
    pub fn stdin(progress: &'p dyn Progress) -> io::Result<Self> {
        Self::new(Box::new(io::stdin()), progress)
    }

    /// A file.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or its first bytes cannot be read, and for a folder.
    pub fn open(path: &Path, progress: &'p dyn Progress) -> io::Result<Self> {
        let file = Arc::new(File::open(path)?);
        let metadata = file.metadata()?;
        // On some systems a folder opens like a file and fails only when it is read.
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut source = Self::new(Box::new(Arc::clone(&file)), progress)?;
        // Files that are made up as they are read tell no length.
        if matches!(source.bytes, Bytes::Plain(_)) && metadata.is_file() && metadata.len() > 0 {
            source.file = Some(StoredFile { file, length: metadata.len(), progress });
        }
        Ok(source)
    }

    /// These bytes.
    ///
    /// # Errors
    ///
    /// When the first bytes cannot be read.
    pub fn new(raw: Box<dyn Read + Send>, progress: &'p dyn Progress) -> io::Result<Self> {
        let mut raw = Raw { raw, progress };
        // A pipe may give its first bytes one by one.
        let mut start = Vec::with_capacity(ZSTANDARD.len());
        raw.by_ref().take(ZSTANDARD.len() as u64).read_to_end(&mut start)?;
        let (gzip, zstandard) = (start.starts_with(GZIP), start == ZSTANDARD);
        let stored = BufReader::with_capacity(PACKED, io::Cursor::new(start).chain(raw));
        let bytes = if gzip {
            Bytes::Gzip(Box::new(flate2::bufread::MultiGzDecoder::new(stored)))
        } else if zstandard {
            Bytes::Zstandard(zstd::Decoder::with_buffer(stored)?)
        } else {
            Bytes::Plain(stored)
        };
        Ok(Self { bytes, cut_short: false, file: None })
    }

    /// Whether a compressed stream ended early. What came before was read.
    #[must_use]
    pub const fn is_cut_short(&self) -> bool {
        self.cut_short
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = match &mut self.bytes {
            Bytes::Plain(bytes) => return bytes.read(buffer),
            Bytes::Gzip(bytes) => bytes.read(buffer),
            Bytes::Zstandard(bytes) => bytes.read(buffer),
        };
        match result {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                self.cut_short = true;
                Ok(0)
            }
            other => other,
        }
    }
}

/// The bytes as they are stored, counted for the progress bar.
struct Raw<'p> {
    raw: Box<dyn Read + Send>,
    progress: &'p dyn Progress,
}

impl Read for Raw<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        self.progress.advance(count as u64)?;
        Ok(count)
    }
}
