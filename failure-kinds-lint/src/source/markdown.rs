//! Markdown, by pulldown-cmark: blocks of code in the languages that are checked, the front
//! matter, and spans of code that give a key its value.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::Language;
use crate::position::{Ask, Comment, Position, Scan, Value};

pub(super) fn scan(text: &str, ask: Ask<'_>) -> Scan {
    let mut scan = Scan::default();
    let mut block: Option<Block> = None;
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_TABLES;
    for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                block = language_of(&info).map(Block::new);
            }
            Event::Start(Tag::MetadataBlock(kind)) => {
                block = Some(Block::new(match kind {
                    MetadataBlockKind::YamlStyle => Language::Yaml,
                    MetadataBlockKind::PlusesStyle => Language::Toml,
                }));
            }
            Event::Text(part) => {
                if let Some(block) = &mut block {
                    block.push(&part, span);
                }
            }
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_)) => {
                if let Some(block) = block.take() {
                    block.scan(ask, &mut scan);
                }
            }
            Event::Code(code) => code_span(text, &code, &span, ask, &mut scan),
            Event::Html(html) | Event::InlineHtml(html) => html_comments(&html, &span, &mut scan),
            _ => {}
        }
    }
    scan
}

/// The language of a fence: the first word of its info string.
fn language_of(info: &str) -> Option<Language> {
    let word = info.split([',', ' ', '{', '\t']).find(|word| !word.is_empty())?;
    Some(match word.to_ascii_lowercase().as_str() {
        "rust" | "rs" => Language::Rust,
        "python" | "py" | "python3" => Language::Python,
        "json" => Language::Json,
        "jsonl" | "ndjson" | "jsonlines" => Language::JsonLines,
        "yaml" | "yml" => Language::Yaml,
        "toml" => Language::Toml,
        _ => return None,
    })
}

/// A block of code. Its text is that of the document without quotation marks and indentation,
/// so it comes in pieces.
struct Block {
    language: Language,
    text: String,
    /// Where a piece starts in the block and in the document.
    pieces: Vec<(usize, usize)>,
}

impl Block {
    const fn new(language: Language) -> Self {
        Self { language, text: String::new(), pieces: Vec::new() }
    }

    fn push(&mut self, part: &str, span: Range<usize>) {
        self.pieces.push((self.text.len(), span.start));
        self.text.push_str(part);
    }

    /// An offset of the block in the document, and the piece that it stands in.
    fn offset(&self, at: usize) -> (usize, usize) {
        let piece = self.pieces.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let (start, document) = self.pieces[piece];
        (document + (at - start), piece)
    }

    fn scan(self, ask: Ask<'_>, scan: &mut Scan) {
        if self.pieces.is_empty() {
            return;
        }
        let part = self.language.scan(&self.text, Ask { fragment: true, ..ask });
        scan.add_part(part, |span| {
            let (start, first) = self.offset(span.start);
            // The last byte, so that the end of a piece is not taken for the start of the next.
            let (last, piece) = self.offset(span.end.saturating_sub(1).max(span.start));
            let end = if span.is_empty() { start } else { last + 1 };
            (start..end, first == piece)
        });
    }
}

/// `failure_kind: judge_failed` or `failure_kind=judge_failed` in a span of code.
fn code_span(text: &str, code: &str, range: &Range<usize>, ask: Ask<'_>, scan: &mut Scan) {
    let Some(split) = code.find([':', '=']) else { return };
    let key = code[..split].trim().trim_matches('"');
    let value = code[split + 1..].trim_start_matches('=').trim();
    if !ask.keys.is_key(key) || is_type(value) {
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

/// Whether a value says the type of a field instead of a name.
fn is_type(value: &str) -> bool {
    matches!(value, "str" | "string" | "String" | "None" | "null" | "Option" | "FailureKind")
}

fn html_comments(html: &str, range: &Range<usize>, scan: &mut Scan) {
    let mut at = 0;
    while let Some(open) = html[at..].find("<!--") {
        let start = at + open;
        let inside = start + "<!--".len();
        let (close, end) = match html[inside..].find("-->") {
            Some(close) => (inside + close, inside + close + "-->".len()),
            None => (html.len(), html.len()),
        };
        scan.comments.push(Comment {
            span: range.start + start..range.start + end,
            text: html[inside..close].to_owned(),
        });
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::testing::{self, positions};

    fn markdown(text: &str) -> Vec<String> {
        positions(Language::Markdown, text)
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
    fn an_excerpt_that_does_not_parse_is_no_fault() {
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
        let found = testing::scan(Language::Markdown, text);
        let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.trim()).collect();
        assert_eq!(comments, ["one", "two", "three"]);
        for comment in &found.comments {
            assert!(text[comment.span.clone()].contains(comment.text.trim()));
        }
    }
}
