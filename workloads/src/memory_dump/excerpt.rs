//! Location of a dump in a text that may have log lines around it.

/// Keys with which a dump of an allocator begins.
const FIRST_KEYS: [&str; 2] = ["\"General\"", "\"Total\""];

/// Position of a dump in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Excerpt<'a> {
    /// Text from the dump's first brace on.
    pub text: &'a str,
    /// Line of the first brace, from 1.
    pub line: usize,
    /// Number of characters before the first brace in its line.
    pub column: usize,
}

/// Lines of the file that are not part of the dump.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SurroundingText {
    /// Lines before the dump, including one that the dump begins in.
    pub lines_before: u64,
    pub lines_after: u64,
    /// Dumps after the first, which are not read.
    pub more_dumps: u64,
}

impl<'a> Excerpt<'a> {
    /// Finds the first dump of a text. A text that begins with a brace or has no dump is returned whole.
    pub(super) fn find(text: &'a str) -> Excerpt<'a> {
        let whole = Excerpt { text, line: 1, column: 0 };
        if text.trim_start().starts_with('{') {
            return whole;
        }
        let Some(start) = next_dump(text) else { return whole };
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Excerpt {
            text: &text[start..],
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count(),
        }
    }

    /// Returns the text around a dump of `bytes` bytes.
    pub(super) fn surroundings(&self, bytes: usize) -> SurroundingText {
        let rest = &self.text[bytes.min(self.text.len())..];
        let after = rest.lines().filter(|line| !line.trim().is_empty());
        let (mut more_dumps, mut from) = (0, rest);
        while let Some(start) = next_dump(from) {
            more_dumps += 1;
            from = &from[start + 1..];
        }
        SurroundingText {
            lines_before: (self.line - 1) as u64 + u64::from(self.column > 0),
            lines_after: after.count() as u64,
            more_dumps,
        }
    }
}

/// Returns the position of the first brace that a dump's first key follows.
fn next_dump(text: &str) -> Option<usize> {
    let braces = text.match_indices('{');
    let is_first = |after: &str| FIRST_KEYS.iter().any(|key| after.trim_start().starts_with(key));
    braces.map(|(start, _)| start).find(|start| is_first(&text[start + 1..]))
}

impl SurroundingText {
    /// Returns a note about the text around the dump; `None` if there is none.
    pub fn note(&self) -> Option<String> {
        let SurroundingText { lines_before, lines_after, more_dumps } = *self;
        let lines = |count, side| (count > 0).then(|| format!("{} {side} it", taut_schemas::counted(count, "line")));
        let lines: Vec<String> =
            [lines(lines_before, "before"), lines(lines_after, "after")].into_iter().flatten().collect();
        let dumps = match more_dumps {
            0 => String::new(),
            _ => format!("; {} after the first not read", taut_schemas::counted(more_dumps, "dump")),
        };
        (!lines.is_empty()).then(|| format!("a dump in a log: {} left out{dumps}", lines.join(" and ")))
    }
}
