//! The source with the place marked, as the compiler shows its own findings.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level as Severity, Renderer, Snippet};

use failure_kinds_core::text::Escaped;
use failure_kinds_lint::{Excerpt, Finding, Level};

/// Wider than any excerpt.
const WIDTH: usize = 4096;

pub(super) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    // Whether colour is wanted, the stream decides. Lines are cut before they come here.
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(WIDTH);
    for finding in findings {
        writeln!(out, "{}\n", render(finding, &renderer))?;
    }
    Ok(())
}

fn render(finding: &Finding, renderer: &Renderer) -> String {
    let severity = match finding.level {
        Level::Error => Severity::ERROR,
        Level::Warning | Level::Off => Severity::WARNING,
    };
    let place = finding.at.start;
    let path = Escaped(&finding.path).to_string();
    let shown = printable(&finding.at.excerpt);
    let shown_column = shown.text[..shown.span.start].chars().count() + 1;
    let mut group =
        severity.primary_title(finding.message.as_str()).id(finding.id.as_str()).element(
            Snippet::source(shown.text)
                .path(path.as_str())
                .line_start(place.line)
                .annotation(AnnotationKind::Primary.span(shown.span)),
        );
    if finding.count > 1 {
        let times = format!("{} times in this file; this is the first", finding.count);
        group = group.element(Severity::NOTE.message(times));
    }
    if let Some(help) = &finding.help {
        group = group.element(Severity::HELP.message(help.as_str()));
    }
    if let Some(note) = &finding.note {
        group = group.element(Severity::NOTE.message(note.as_str()));
    }
    // The renderer counts in what it is shown, which is a part of the line, with escapes.
    let at = |column: usize| format!("{path}:{}:{column}", place.line);
    renderer.render(&[group]).replacen(&at(shown_column), &at(place.column), 1)
}

/// The excerpt with whatever a terminal could act on escaped. Tabs stay: the renderer lays them
/// out.
fn printable(excerpt: &Excerpt) -> Excerpt {
    let escaped = |text: &str| {
        let parts = text.split('\t').map(|part| Escaped(part).to_string());
        parts.collect::<Vec<_>>().join("\t")
    };
    let Excerpt { text, span } = excerpt;
    let before = escaped(&text[..span.start]);
    let marked = escaped(&text[span.clone()]);
    let after = escaped(&text[span.end..]);
    let span = before.len()..before.len() + marked.len();
    Excerpt { text: before + &marked + &after, span }
}
