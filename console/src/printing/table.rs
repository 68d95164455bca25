//! Text tables: laid out first and coloured last, so that colour sequences do not count as width.

use super::columns::{Choice, Column, choose};
use super::paragraph::{at_spaces, folded_within};
use super::{bold, escaped, terminal};
use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Mark of a truncated word.
const MORE: &str = "…";

/// Greatest width of a column. comfy-table counts columns in 16 bits, and takes minutes for a cell of more.
const MAX_COLUMN_WIDTH: usize = 10_000;

/// Max number of omitted columns that the note under a table names.
const MAX_NAMED: usize = 8;

/// Max width of a name in the note: less than the narrowest terminal, so that the note fits.
const MAX_NAME_WIDTH: usize = 24;

/// Formats a table that fits the terminal, if there is one; columns listed in `right` are right-aligned. Columns that do
/// not fit are omitted from the right.
pub fn table<R: IntoIterator<Item = String>>(
    heading: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = R>,
) -> String {
    ranked_table(heading, right, &[], rows)
}

/// Formats a table as [`table`] does. Columns that do not fit are omitted from the end of `importance`, a list of indices
/// of columns; the columns that it does not list are less important.
pub fn ranked_table<R: IntoIterator<Item = String>>(
    heading: &[&str],
    right: &[usize],
    importance: &[usize],
    rows: impl IntoIterator<Item = R>,
) -> String {
    within(terminal::columns().map(Room::terminal), Layout { heading, right, importance }, rows)
}

/// Formats a report's table, whose cells hold sentences: without a terminal it fits a page.
pub fn report_table(heading: &[&str], right: &[usize], importance: &[usize], rows: Vec<Vec<String>>) -> String {
    let room = terminal::columns().map_or_else(|| Room::page(terminal::COLUMNS), Room::terminal);
    within(Some(room), Layout { heading, right, importance }, rows)
}

/// Headings of a table, the right-aligned columns, and the most important ones.
#[derive(Debug, Clone, Copy)]
struct Layout<'a> {
    heading: &'a [&'a str],
    right: &'a [usize],
    importance: &'a [usize],
}

/// Available width, and how to fit a wider table.
#[derive(Debug, Clone, Copy)]
struct Room {
    columns: usize,
    /// True if columns may be omitted and words truncated, because the reader can get the full data elsewhere.
    may_elide: bool,
}

impl Room {
    fn terminal(columns: u16) -> Room {
        Room { columns: columns.into(), may_elide: !terminal::is_wide() }
    }

    fn page(columns: u16) -> Room {
        Room { columns: columns.into(), may_elide: false }
    }
}

fn within<R: IntoIterator<Item = String>>(
    room: Option<Room>,
    layout: Layout<'_>,
    rows: impl IntoIterator<Item = R>,
) -> String {
    let Layout { heading, right, importance } = layout;
    let line = |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| escaped(&cell).into_owned()).collect();
    let mut lines: Vec<Vec<String>> = vec![line(&mut heading.iter().map(|name| (*name).to_owned()))];
    for row in rows {
        let mut row: Vec<String> = line(&mut row.into_iter());
        row.resize(heading.len(), String::new());
        lines.push(row);
    }
    let columns: Vec<Column> = (0..heading.len())
        .map(|at| Column::measured(lines.iter().map(|line| line[at].as_str()), right.contains(&at)))
        .collect();
    let Some(room) = room.filter(|_| !columns.is_empty()) else {
        return drawn(&Choice::all(&columns), right, &lines);
    };
    let choice = choose(&columns, importance, room.columns, room.may_elide);
    let omitted: Vec<&str> = (0..columns.len()).filter(|at| !choice.has(*at)).map(|at| lines[0][at].as_str()).collect();
    drawn(&choice, right, &lines) + &note(&omitted, columns.len(), room.columns)
}

/// Formats the line under a table that names the omitted columns; empty if there are none.
fn note(omitted: &[&str], all: usize, room: usize) -> String {
    let names = match omitted.len() {
        0 => return String::new(),
        1..=MAX_NAMED => {
            let names: Vec<String> = omitted.iter().map(|name| cut(name, MAX_NAME_WIDTH)).collect();
            format!(": {}", names.join(", "))
        }
        _ => String::new(),
    };
    folded_within(room, &format!("{} of {all} columns omitted{names} (--wide shows all)\n", omitted.len()))
}

/// Renders the chosen columns, each in its width.
fn drawn(choice: &Choice, right: &[usize], lines: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_style(TableComponent::HeaderLines, '─').set_style(TableComponent::MiddleHeaderIntersections, '─');
    let cells = |line: &Vec<String>| -> Vec<String> {
        choice.slots.iter().map(|(column, width)| broken(&line[*column], (*width).min(MAX_COLUMN_WIDTH))).collect()
    };
    let mut rows = lines.iter().map(cells);
    let heading = rows.next().unwrap_or_default();
    let heading_lines = heading.iter().map(|cell| cell.split('\n').count()).max().unwrap_or(1);
    table.set_header(heading);
    table.add_rows(rows);
    for (at, (column, _)) in choice.slots.iter().enumerate() {
        if let Some(set) = table.column_mut(at)
            && right.contains(column)
        {
            set.set_cell_alignment(CellAlignment::Right);
        }
    }
    let rendered = table.lines().enumerate().map(|(at, line)| {
        let line = line.trim_end();
        let line = if at < heading_lines { headed(line) } else { line.to_owned() };
        line + "\n"
    });
    rendered.collect()
}

/// Formats a heading line in bold, without the leading spaces.
fn headed(line: &str) -> String {
    let words = line.trim_start();
    format!("{}{}", &line[..line.len() - words.len()], bold(words))
}

/// Wraps a cell to lines of at most `width`, at spaces. A longer word is wrapped after `_`, or else truncated.
fn broken(cell: &str, width: usize) -> String {
    if cell.width() <= width {
        return cell.to_owned();
    }
    let lines = textwrap::wrap(cell, at_spaces(width.max(1)));
    lines.iter().flat_map(|line| at_underscores(line, width)).collect::<Vec<_>>().join("\n")
}

/// Splits a word wider than `width` after `_`; a part that is wider still is truncated.
fn at_underscores(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in line.split_inclusive('_') {
        let last = lines.last_mut().filter(|last| last.is_empty() || last.width() + piece.width() <= width);
        match last {
            Some(last) => last.push_str(piece),
            None => lines.push(piece.to_owned()),
        }
    }
    lines.iter().map(|line| cut(line, width)).collect()
}

fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let mut truncated = String::with_capacity(line.len());
    let mut left = width.saturating_sub(MORE.width());
    for character in line.chars() {
        let takes = character.width().unwrap_or(0);
        if takes > left {
            break;
        }
        left -= takes;
        truncated.push(character);
    }
    truncated + MORE
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(room: Room, heading: &[&str], right: &[usize], rows: &[Vec<String>]) -> String {
        ranked(room, heading, right, &[], rows)
    }

    fn ranked(room: Room, heading: &[&str], right: &[usize], importance: &[usize], rows: &[Vec<String>]) -> String {
        within(Some(room), Layout { heading, right, importance }, rows.to_vec())
    }

    fn words(row: &[&str]) -> Vec<String> {
        row.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn the_least_important_columns_are_omitted_and_named() {
        let heading = ["name", "one", "two", "three", "four", "five", "six", "last"];
        let rows = [words(&["a heap", "1,111", "2,222", "3,333", "4,444", "5,555", "6,666", "9"])];
        let right = [1, 2, 3, 4, 5, 6, 7];
        insta_like(
            &ranked(Room::terminal(40), &heading, &right, &[6, 3], &rows),
            " name       one     two   three     six\n───\n a heap   1,111   2,222   3,333   6,666\n\
             3 of 8 columns omitted: four, five, last\n  (--wide shows all)\n",
        );
        let whole = ranked(Room::page(40), &heading, &right, &[6, 3], &rows);
        assert!(whole.contains("4,444") && !whole.contains("omitted"), "{whole}");
    }

    #[test]
    fn no_column_is_shown_if_a_more_important_one_is_omitted() {
        let heading = ["name", "narrow", "wide", "wider"];
        let rows = [words(&["a heap", "1", &"8".repeat(60), &"9".repeat(60)])];
        let omitted = |importance: &[usize]| {
            let text = ranked(Room::terminal(40), &heading, &[], importance, &rows);
            text.split_whitespace().skip_while(|word| *word != "omitted:").skip(1).take(3).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(omitted(&[1]), "wide, wider (--wide");
        assert_eq!(omitted(&[2]), "narrow, wider (--wide");
        assert_eq!(omitted(&[3, 2, 1]), "narrow, wide (--wide");
    }

    #[test]
    fn a_cell_of_any_length_has_lines_of_a_bounded_width_and_keeps_its_words() {
        let words_of_a_cell = "word ".repeat(60_000);
        let rows = vec![vec![words_of_a_cell.clone(), "x".repeat(200_000)]];
        let long = "y".repeat(100_000);
        let text = within(None, Layout { heading: &["words", &long], right: &[], importance: &[] }, rows);
        let widest = text.lines().map(UnicodeWidthStr::width).max();
        assert!(widest <= Some(2 * MAX_COLUMN_WIDTH + 4), "{widest:?}");
        assert_eq!(text.matches("word").count(), 60_001);
    }

    fn insta_like(found: &str, expected: &str) {
        let bare = |text: &str| text.lines().map(|line| line.trim_matches('─').to_owned()).collect::<Vec<_>>();
        assert_eq!(bare(found), bare(expected), "\n{found}");
    }

    #[test]
    fn a_sentence_breaks_at_spaces_and_a_long_word_is_cut() {
        let rows = [words(&["A-52", "what is asked for tightly takes no more than what is not", "x"])];
        let text = shown(Room::terminal(40), &["check", "rule", "n"], &[], &rows);
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        assert!(text.contains("tightly takes no more than") || text.contains("asked for tightly"), "{text}");
        let long = [words(&[&"w".repeat(90), "b"])];
        let text = shown(Room::terminal(40), &["name", "b"], &[], &long);
        assert!(text.contains("w…") && text.lines().all(|line| line.width() <= 40), "{text}");
        assert!(shown(Room::page(40), &["name", "b"], &[], &long).contains(&"w".repeat(90)));
    }

    #[test]
    fn important_columns_are_kept_by_narrow_sentences_and_by_names_that_break_after_underscores() {
        let heading = ["pass", "action", "mode", "saved"];
        let rows = [words(&["1", "COMMIT_RESULTS_HIGH_PRIORITY", "ALLOW_INTRUSIVE_MEASUREMENTS", "9"])];
        let text = ranked(Room::terminal(50), &heading, &[3], &[1, 2, 3], &rows);
        let shown: Vec<&str> = text.split_whitespace().collect();
        assert!(shown.contains(&"PRIORITY") || shown.contains(&"HIGH_PRIORITY"), "{text}");
        assert!(shown.contains(&"MEASUREMENTS") && !text.contains("omitted") && !text.contains('…'), "{text}");
        let sentence = [words(&["1", "a sentence that is long enough for a column", "b", "9"])];
        let text = ranked(Room::terminal(40), &heading, &[3], &[1, 2, 3], &sentence);
        assert!(!text.contains("omitted"), "{text}");
    }

    #[test]
    fn names_are_shown_escaped() {
        let text = table(&["na\nme"], &[], [["a\u{1b}[31mb\nc\u{202e}".to_owned()]]);
        assert!(text.contains(r"na\nme") && text.contains(r"a\u{1b}[31mb\nc\u{202e}"), "{text}");
    }

    fn any_cell() -> impl Strategy<Value = String> {
        prop_oneof!["[0-9]{1,9}", "[a-z]{0,60}", "([a-zé漢]{1,12} ){0,12}[a-z]{1,5}"]
    }

    proptest! {
        #[test]
        fn a_table_on_a_terminal_is_never_wider_than_it(
            (rows, right, importance) in (1usize..16).prop_flat_map(|columns| (
                prop::collection::vec(prop::collection::vec(any_cell(), columns), 1..6),
                prop::collection::vec(0..columns, 0..columns),
                prop::sample::subsequence((0..columns).collect::<Vec<_>>(), 0..=columns).prop_shuffle(),
            )),
            columns in 40u16..220,
        ) {
            let heading: Vec<&str> = rows[0].iter().map(String::as_str).collect();
            let text = ranked(Room::terminal(columns), &heading, &right, &importance, &rows[1..]);
            for line in text.lines() {
                prop_assert!(line.width() <= usize::from(columns), "{line}");
            }
            // Every word is complete, or truncated and marked.
            let known: Vec<&str> = rows.iter().flatten().flat_map(|cell| cell.split(' ')).collect();
            let cells = text.split(" columns omitted").next().unwrap_or_default();
            let cells = cells.rsplit_once('\n').filter(|_| cells.len() < text.len()).map_or(cells, |(cells, _)| cells);
            for word in cells.split_whitespace() {
                let whole = known.contains(&word) || word.chars().all(|c| c == '─');
                let cut = word.strip_suffix('…').is_some_and(|truncated| known.iter().any(|known| known.starts_with(truncated)));
                prop_assert!(whole || cut, "{word:?}");
            }
        }

        #[test]
        fn off_a_terminal_nothing_is_left_out(
            rows in (1usize..9).prop_flat_map(|columns| prop::collection::vec(prop::collection::vec(any_cell(), columns), 1..6)),
        ) {
            let heading: Vec<&str> = rows[0].iter().map(String::as_str).collect();
            for room in [None, Some(Room::page(120))] {
                let text = within(room, Layout { heading: &heading, right: &[], importance: &[] }, rows[1..].to_vec());
                let mut displayed: Vec<&str> = text.split_whitespace().filter(|word| !word.starts_with('─')).collect();
                let mut expected: Vec<&str> = rows.iter().flatten().flat_map(|cell| cell.split_whitespace()).collect();
                displayed.sort_unstable();
                expected.sort_unstable();
                prop_assert_eq!(displayed, expected);
            }
        }
    }
}
