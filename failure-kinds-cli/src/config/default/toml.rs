use std::io::{self, Write};

use super::{Block, comment, note_after};

pub(super) fn write(blocks: &[Block], stream: &mut dyn Write) -> io::Result<()> {
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            writeln!(stream)?;
        }
        stream.write_all(comment(&block.comment, "").as_bytes())?;
        if !block.path.is_empty() {
            writeln!(stream, "[{}]", block.path.join("."))?;
        }
        for entry in &block.entries {
            let mark = if entry.set { "" } else { "# " };
            writeln!(stream, "{mark}{} = \"{}\"{}", entry.name, entry.class, note_after(entry))?;
        }
    }
    Ok(())
}
