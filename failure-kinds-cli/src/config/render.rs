//! Errors in a classification file, shown as a compiler does.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use failure_kinds::{ConfigError, ConfigFault, ConfigLocation};

use crate::terminal;
use failure_kinds_core::text::{self, EscapedPath};

/// The most errors of one file that are shown with their source; the others get one line each.
const MOST: usize = 50;

/// Writes every error with its source, its path, and what to write instead.
pub(super) fn faults(
    error: &ConfigError,
    file: &Path,
    stream: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal::width());
    let file = EscapedPath(file).to_string();
    for fault in error.faults().iter().take(MOST) {
        let group = group(fault, &file, error.source_text());
        writeln!(stream, "{}\n", renderer.render(&[group]))?;
    }
    for fault in error.faults().iter().skip(MOST) {
        let (line, column) = fault.location().map_or((1, 1), |at| (at.line, at.column));
        writeln!(stream, "{file}:{line}:{column}: {fault}")?;
    }
    Ok(())
}

fn group<'a>(fault: &'a ConfigFault, file: &'a str, source: Option<&'a str>) -> Group<'a> {
    let title = Level::ERROR.primary_title(fault.message());
    let group = match (source, fault.location()) {
        (Some(source), Some(at)) => title.element(snippet(fault, at, source).path(file)),
        _ => title.element(Origin::path(file)),
    };
    match fault.help() {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}

/// The source lines of an error. The rest of a long file is not scanned.
fn snippet<'a>(
    fault: &'a ConfigFault,
    at: &ConfigLocation,
    source: &'a str,
) -> Snippet<'a, Annotation<'a>> {
    let first = fault.first_location();
    let top = first.map_or(at, |first| if first.span.start < at.span.start { first } else { at });
    let start = source[..top.span.start].rfind('\n').map_or(0, |newline| newline + 1);
    // Without the line ending.
    let rest = source[at.span.end..].split('\n').next().unwrap_or_default();
    let end = at.span.end + rest.strip_suffix('\r').unwrap_or(rest).len();
    let inside = |span: &Range<usize>| span.start - start..span.end - start;

    // A path of one key is the underlined text itself.
    let path = Some(fault.path()).filter(|path| path.contains('.'));
    let snippet = Snippet::source(text::snippet(&source[start..end]))
        .line_start(top.line)
        .annotation(AnnotationKind::Primary.span(inside(&at.span)).label(path));
    match first {
        Some(first) => {
            let first = AnnotationKind::Context.span(inside(&first.span));
            snippet.annotation(first.label("here first"))
        }
        None => snippet,
    }
}
