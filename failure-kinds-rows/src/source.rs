//! The bytes of a file or a stream, decompressed if they are compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::bufread::GzDecoder;

use crate::format::{Format, START};
use crate::{Compression, Progress};

/// How much of a compressed file is read at once.
const COMPRESSED: usize = 128 << 10;

/// Lines to read: a file, a stream or bytes in memory; plain, gzip or zstandard.
///
/// The compression is detected by content, never by name. gzip may have several members and zero
/// bytes after the last one, zstandard several frames and skippable ones.
pub struct Source<'p> {
    /// The start of the decompressed bytes, as far as it was not read from here.
    start: io::Cursor<Vec<u8>>,
    bytes: Bytes<'p>,
    cut_short: bool,
    /// Where the bytes come from, if they are not compressed and can be read in spans.
    pub(crate) stored: Option<Stored<'p>>,
}

/// Plain bytes that can be read from any place.
pub(crate) struct Stored<'p> {
    pub(crate) bytes: Arc<dyn ReadAt>,
    /// How many there were when the source was opened.
    pub(crate) length: u64,
    pub(crate) progress: &'p dyn Progress,
}

/// Bytes of which any part can be read, by several threads at once.
pub(crate) trait ReadAt: Send + Sync {
    /// Reads some of the bytes from `at` on; none when there are no more.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, at)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, at)
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let at = usize::try_from(at).map_or(self.len(), |at| at.min(self.len()));
        (&self[at..]).read(buffer)
    }
}

type Compressed<'p> = BufReader<io::Chain<io::Cursor<Vec<u8>>, Raw<'p>>>;

enum Bytes<'p> {
    Plain(Raw<'p>),
    Gzip(Box<GzipMembers<Compressed<'p>>>),
    Zstandard(zstd::Decoder<'static, Compressed<'p>>),
}

impl<'p> Source<'p> {
    /// Opens standard input.
    ///
    /// # Errors
    ///
    /// When its first bytes cannot be read.
    pub fn stdin(progress: &'p dyn Progress) -> io::Result<Self> {
        Self::new(Box::new(io::stdin()), progress)
    }

    /// Opens a file or anything else that has a path and can be read, such as a named pipe.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, when its first bytes cannot be read, and for a folder.
    pub fn open(path: &Path, progress: &'p dyn Progress) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        // On some systems a folder opens like a file and fails only when it is read.
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files that are generated as they are read have no length.
        if metadata.is_file() && metadata.len() > 0 {
            Self::stored(Arc::new(file), metadata.len(), progress)
        } else {
            Self::new(Box::new(file), progress)
        }
    }

    /// Reads bytes in memory, in spans if they are plain, as a file is read.
    ///
    /// # Errors
    ///
    /// When the bytes are compressed and corrupt at the start.
    pub fn from_bytes(bytes: Vec<u8>, progress: &'p dyn Progress) -> io::Result<Self> {
        let length = bytes.len() as u64;
        Self::stored(Arc::new(bytes), length, progress)
    }

    fn stored(bytes: Arc<dyn ReadAt>, length: u64, progress: &'p dyn Progress) -> io::Result<Self> {
        let in_order = Sequential { bytes: Arc::clone(&bytes), at: 0 };
        let mut source = Self::new(Box::new(in_order), progress)?;
        if matches!(source.bytes, Bytes::Plain(_)) {
            source.stored = Some(Stored { bytes, length, progress });
        }
        Ok(source)
    }

    /// Reads a stream.
    ///
    /// # Errors
    ///
    /// When its first bytes cannot be read.
    pub fn new(raw: Box<dyn Read + Send>, progress: &'p dyn Progress) -> io::Result<Self> {
        let mut raw = Raw { raw, progress };
        let start = start_of(&mut raw)?;
        let Some(compression) = Compression::of_content(&start) else {
            let start = io::Cursor::new(start);
            return Ok(Self { start, bytes: Bytes::Plain(raw), cut_short: false, stored: None });
        };
        let compressed = BufReader::with_capacity(COMPRESSED, io::Cursor::new(start).chain(raw));
        let bytes = match compression {
            Compression::Gzip => Bytes::Gzip(Box::new(GzipMembers::new(compressed))),
            Compression::Zstandard => Bytes::Zstandard(zstd::Decoder::with_buffer(compressed)?),
        };
        let mut source =
            Self { start: io::Cursor::default(), bytes, cut_short: false, stored: None };
        source.start = io::Cursor::new(start_of(&mut source)?);
        Ok(source)
    }

    /// What the content is instead of JSON Lines, if its start leaves no doubt. Such a source can
    /// still be read, as lines that are malformed.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        Format::of(self.start.get_ref())
    }

    /// What the content is, given that no line of it turned out to be an object.
    #[must_use]
    pub fn format_without_objects(&self) -> Option<Format> {
        Format::without_objects(self.start.get_ref())
    }

    /// Whether it is an uncompressed file, or bytes in memory: whether
    /// [`read_appended`](crate::read_appended) can continue it when it grows.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.stored.is_some()
    }

    /// Whether a compressed stream ended early. What came before was read.
    pub(crate) const fn is_cut_short(&self) -> bool {
        self.cut_short
    }
}

/// The first bytes of a stream. A pipe may give them one by one.
fn start_of(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(START);
    stream.take(START as u64).read_to_end(&mut start)?;
    Ok(start)
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let from_start = self.start.read(buffer)?;
        if from_start > 0 {
            return Ok(from_start);
        }
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

/// The members of a gzip stream, one after the other, without the zero bytes that pad them.
struct GzipMembers<R> {
    /// `None` after the last one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    fn new(compressed: R) -> Self {
        Self { member: Some(GzDecoder::new(compressed)) }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let next = skip_zeros(member.get_mut())?;
            let compressed = self.member.take().map(GzDecoder::into_inner);
            self.member = match next {
                None => None,
                Some(GZIP) => compressed.map(GzDecoder::new),
                Some(_) => return Err(io::Error::other("what follows the gzip data is not gzip")),
            };
        }
    }
}

/// The first byte of a gzip member.
const GZIP: u8 = 0x1f;

/// Returns the first byte after the zeros.
fn skip_zeros(bytes: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let buffer = bytes.fill_buf()?;
        let length = buffer.len();
        let zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        let next = buffer.get(zeros).copied();
        bytes.consume(zeros);
        if next.is_some() || length == 0 {
            return Ok(next);
        }
    }
}

/// Stored bytes as a stream.
struct Sequential {
    bytes: Arc<dyn ReadAt>,
    at: u64,
}

impl Read for Sequential {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// The bytes as they are stored, counted for the progress bar.
struct Raw<'p> {
    raw: Box<dyn Read + Send>,
    progress: &'p dyn Progress,
}

impl Read for Raw<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.raw.read(buffer) {
                // A decoder may take it for the end.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(count) => {
                    self.progress.advance(count as u64)?;
                    return Ok(count);
                }
                failed => return failed,
            }
        }
    }
}
