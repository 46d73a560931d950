use std::io::{self, Write};

use super::{Block, comment, note_after};

pub(super) fn write(blocks: &[Block], stream: &mut dyn Write) -> io::Result<()> {
    let mut open: &[&str] = &[];
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 && !block.comment.is_empty() {
            writeln!(stream)?;
        }
        // What leads to the block and is not open yet; its own key is the last.
        let shared = open.iter().zip(&block.path).take_while(|(a, b)| a == b).count();
        let indent = "  ".repeat(block.path.len().saturating_sub(1));
        if let Some(outer) = block.path.len().checked_sub(1) {
            for (depth, key) in block.path.iter().enumerate().take(outer).skip(shared) {
                writeln!(stream, "{}{key}:", "  ".repeat(depth))?;
            }
        }
        stream.write_all(comment(&block.comment, &indent).as_bytes())?;
        let any = block.entries.iter().any(|entry| entry.set);
        if let Some(key) = block.path.last() {
            // A map of comments alone would be null: it is a comment as a whole.
            writeln!(stream, "{}{indent}{key}:", mark(any))?;
        }
        let indent = "  ".repeat(block.path.len());
        for entry in &block.entries {
            let mark = mark(entry.set);
            writeln!(stream, "{mark}{indent}{}: {}{}", entry.name, entry.class, note_after(entry))?;
        }
        open = &block.path;
    }
    Ok(())
}

/// What makes a line a comment. Taken away, it leaves the line as it should be.
const fn mark(set: bool) -> &'static str {
    if set { "" } else { "# " }
}
