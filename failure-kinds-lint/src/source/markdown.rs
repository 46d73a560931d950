//! Markdown, by pulldown-cmark: blocks of code in the languages that are checked, the front
//! matter, and spans of code that give a key its value.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::Language;
use crate::position::{Comment, Position, Scan, ScanOptions, Value};

pub(super) fn scan(text: &str, options: ScanOptions<'_>) -> Scan {
    let mut scan = Scan::default();
    let extensions = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_TABLES;
    let mut block: Option<Block> = None;
    for (event, span) in Parser::new_ext(text, extensions).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                if let Some(comment) = scan.comments.last_mut()
                    && text
                        .get(comment.span.end..span.start)
                        .is_some_and(|gap| gap.trim().is_empty())
                {
                    comment.block = Some(span);
                }
                if let CodeBlockKind::Fenced(info) = kind {
                    block = Language::of_fence(&info).map(Block::new);
                }
            }
            Event::Start(Tag::MetadataBlock(kind)) => {
                let language = match kind {
                    MetadataBlockKind::YamlStyle => "yaml",
                    MetadataBlockKind::PlusesStyle => "toml",
                };
                block = Language::of_fence(language).map(Block::new);
            }
            Event::Text(part) => {
                if let Some(block) = &mut block {
                    block.push(&part, span.start);
                }
            }
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_)) => {
                if let Some(block) = block.take() {
                    block.scan(options, &mut scan);
                }
            }
            Event::Code(code) => code_span(text, &code, &span, options, &mut scan),
            // The lines of a block come again, one by one, as `Event::Html`.
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                html_comments(&text[span.clone()], span.start, &mut scan);
            }
            _ => {}
        }
    }
    scan
}

/// The blocks of Rust in documentation of Rust: those in a fence that names no other language.
pub(super) fn scan_rust_docs(docs: &Pieces, options: ScanOptions<'_>, scan: &mut Scan) {
    let mut block: Option<Block> = None;
    let mut part = Scan::default();
    for (event, span) in Parser::new(&docs.text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let mut words = info.split([',', ' ', '{', '\t']).filter(|word| !word.is_empty());
                let is_rust = words.all(|word| {
                    word.starts_with("edition")
                        || matches!(word, "rust" | "rs" | "no_run" | "should_panic" | "ignore")
                });
                block = Language::of_fence("rust").filter(|_| is_rust).map(Block::new);
            }
            Event::Text(part) => {
                if let Some(block) = &mut block {
                    block.push(&part, span.start);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some(block) = block.take() {
                    block.scan(options, &mut part);
                }
            }
            _ => {}
        }
    }
    scan.add_part(part, |span| docs.map(span));
}

/// A text that is put together from parts of a longer one.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    text: String,
    /// Where a piece starts here and in the longer text.
    starts: Vec<(usize, usize)>,
}

impl Pieces {
    pub(super) fn push(&mut self, piece: &str, start: usize) {
        self.starts.push((self.text.len(), start));
        self.text.push_str(piece);
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A span of the longer text, and whether it is in one piece.
    fn map(&self, span: &Range<usize>) -> (Range<usize>, bool) {
        let (start, first) = self.offset(span.start);
        // The last byte, so that the end of a piece is not taken for the start of the next.
        let (last, piece) = self.offset(span.end.saturating_sub(1).max(span.start));
        let end = if span.is_empty() { start } else { last + 1 };
        (start..end, first == piece)
    }

    fn offset(&self, at: usize) -> (usize, usize) {
        let piece = self.starts.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let (start, longer) = self.starts[piece];
        (longer + (at - start), piece)
    }
}

/// A block of code. Its text is that of the document without quotation marks and indentation.
struct Block {
    language: &'static Language,
    pieces: Pieces,
}

impl Block {
    fn new(language: &'static Language) -> Self {
        Self { language, pieces: Pieces::default() }
    }

    fn push(&mut self, part: &str, start: usize) {
        self.pieces.push(part, start);
    }

    fn scan(mut self, options: ScanOptions<'_>, scan: &mut Scan) {
        if self.pieces.is_empty() {
            return;
        }
        if self.language.is_rust() {
            self.pieces.text = show_hidden_lines(&self.pieces.text);
        }
        let part = self.language.scan(&self.pieces.text, ScanOptions { fragment: true, ..options });
        scan.add_part(part, |span| self.pieces.map(span));
    }
}

/// Documentation hides the lines of an example that start with `# `.
fn show_hidden_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if code.starts_with("# ") || code.trim_end() == "#" {
            let indent = line.len() - code.len();
            shown.push_str(&line[..indent]);
            shown.push(' ');
            shown.push_str(&code[1..]);
        } else {
            shown.push_str(line);
        }
    }
    shown
}

/// `failure_kind: judge_failed` or `failure_kind=judge_failed` in a span of code.
fn code_span(
    text: &str,
    code: &str,
    range: &Range<usize>,
    options: ScanOptions<'_>,
    scan: &mut Scan,
) {
    let Some(split) = code.find([':', '=']) else { return };
    let key = code[..split].trim().trim_matches('"');
    let value = code[split + 1..].trim_start_matches('=').trim();
    if !options.keys.is_key(key) || is_type(value) {
        return;
    }
    let name = value.trim_matches(['"', '\'']);
    // Prose abbreviates: `failure_kind: …`, `failure_kind=<name>`.
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:-".contains(&byte));
    if !is_name {
        return;
    }
    let Some(at) = text[range.clone()].rfind(name) else { return };
    let inside = range.start + at..range.start + at + name.len();
    let value = Value::Text { text: name.to_owned(), inside: Some(inside.clone()) };
    scan.positions.push(Position::in_data(key, inside, value));
}

/// Whether a value is the type of a field instead of a name.
fn is_type(value: &str) -> bool {
    matches!(value, "str" | "string" | "String" | "None" | "null" | "Option" | "FailureKind")
}

fn html_comments(html: &str, offset: usize, scan: &mut Scan) {
    let mut at = 0;
    while let Some(open) = html[at..].find("<!--") {
        let start = at + open;
        let inside = start + "<!--".len();
        let (close, end) = match html[inside..].find("-->") {
            Some(close) => (inside + close, inside + close + "-->".len()),
            None => (html.len(), html.len()),
        };
        let comment = Comment::new(offset + start..offset + end, &html[inside..close]);
        scan.comments.push(comment);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, positions};

    fn markdown(text: &str) -> Vec<String> {
        positions("a.md", text)
    }

    #[test]
    fn blocks_of_code() {
        assert_eq!(
            markdown(
                "```python\nf(failure_kind=\"a\")\n```\n\n```yaml\nfailure_class: b\n```\n\n```text\nfailure_class: x\n```\n"
            ),
            ["failure_kind=a", "failure_class=b"]
        );
        assert_eq!(
            markdown(
                "* item\n\n  > ```rust,ignore\n  > let failure_kind = \"a\";\n  > row.failure_kind == \"b\"\n  > ```\n"
            ),
            ["failure_kind=a", "failure_kind~b"]
        );
        assert_eq!(
            markdown("```jsonl\n{\"failure_kind\": \"a\"}\n{\"failure_kind\": \"b\"}\n```\n"),
            ["failure_kind=a", "failure_kind=b"]
        );
    }

    #[test]
    fn an_excerpt_that_does_not_parse_is_not_an_error() {
        assert_eq!(markdown("```python\ndef f(:\n```\n\n```json\n{ ... }\n```\n"), [""; 0]);
    }

    #[test]
    fn front_matter() {
        assert_eq!(markdown("---\nfailure_kind: a\n---\n# Text\n"), ["failure_kind=a"]);
    }

    #[test]
    fn spans_of_code() {
        assert_eq!(
            markdown(
                "Returns `_ng_failure_class: transient` or `failure_kind=\"a\"`, not failure_kind: x"
            ),
            ["_ng_failure_class=transient", "failure_kind=a"]
        );
        assert_eq!(
            markdown("`failure_kind: str`, `failure_kind: <name>`, `failure_kind`"),
            [""; 0]
        );
    }

    #[test]
    fn comments() {
        let text =
            "<!-- one -->\n\ntext <!-- two --> text\n\n```yaml\na: b # three\n```\n`<!-- no -->`\n";
        let found = testing::scan("a.md", text);
        let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.trim()).collect();
        assert_eq!(comments, ["one", "two", "three"]);
        for comment in &found.comments {
            assert!(text[comment.span.clone()].contains(comment.text.trim()));
        }
    }
}
