//! Layout of a table: selection of columns by importance, and their widths.

use unicode_width::UnicodeWidthStr;

/// Minimum width of a text column whose cells are at least that wide: sentences stay readable.
const SENTENCE: usize = 24;

/// Minimum width of a text column of a table whose important columns do not fit otherwise.
const NARROW: usize = 12;

/// Maximum width up to which a number with its unit is not wrapped.
const NUMBER: usize = 28;

/// Width of a column beyond its cells: a space on both sides, and one between columns.
const COLUMN_PADDING: usize = 3;

/// Measured widths of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Width of the widest cell.
    natural: usize,
    /// Minimum width at which no word and no number is broken and sentences have some space.
    min_width: usize,
    /// Minimum width at which no number is broken, and words only after `_`.
    narrow_width: usize,
    /// Width of the longest word of a cell.
    longest_word: usize,
}

impl Column {
    /// Measures the cells, of which the first is the heading.
    pub(super) fn measured<'a>(cells: impl Iterator<Item = &'a str>, is_right: bool) -> Column {
        let longest_word = |cell: &str| cell.split(' ').map(UnicodeWidthStr::width).max().unwrap_or(0);
        // An empty column has width 1.
        let mut column = Column { natural: 1, min_width: 1, narrow_width: 1, longest_word: 1 };
        for (at, cell) in cells.enumerate() {
            let (width, word) = (cell.width(), longest_word(cell));
            column.natural = column.natural.max(width);
            column.longest_word = column.longest_word.max(word);
            let min_width = match (at, is_right) {
                (0, _) => word,
                (_, true) => word.max(width.min(NUMBER)),
                (_, false) => word.max(width.min(SENTENCE)),
            };
            column.min_width = column.min_width.max(min_width);
            let narrow_width = if is_right { min_width } else { min_width.min(longest_piece(cell).max(NARROW)) };
            column.narrow_width = column.narrow_width.max(narrow_width);
        }
        column
    }
}

/// Width of the longest part of a cell that is not broken: words break after `_`.
fn longest_piece(cell: &str) -> usize {
    cell.split(' ').flat_map(|word| word.split_inclusive('_')).map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// Columns to show, with their widths, in the order of the table.
#[derive(Debug)]
pub(super) struct Choice {
    /// Index and width of each column.
    pub(super) slots: Vec<(usize, usize)>,
}

impl Choice {
    /// Returns all columns in their natural width.
    pub(super) fn all(columns: &[Column]) -> Choice {
        Choice { slots: columns.iter().enumerate().map(|(at, column)| (at, column.natural)).collect() }
    }

    /// True if the column is shown.
    pub(super) fn has(&self, column: usize) -> bool {
        self.slots.iter().any(|(shown, _)| *shown == column)
    }
}

/// Chooses columns that fit in `room`. `importance` lists columns, the most important first; the others follow in the
/// order of the table. The first column names the row and is always shown. No column is shown if a more important one
/// is omitted.
pub(super) fn choose(columns: &[Column], importance: &[usize], room: usize, may_elide: bool) -> Choice {
    // No separator follows the last column.
    let room = room + 1;
    if !may_elide {
        let min_width: Vec<usize> = columns.iter().map(|column| column.min_width).collect();
        return widened(columns, (0..columns.len()).collect(), min_width, room);
    }
    // No single column may claim more than a third of the width at first.
    let longest = (room / 3).max(SENTENCE);
    let is_important = |at: usize| at == 0 || importance.contains(&at);
    let width = |at: usize, narrow: bool| {
        let column = &columns[at];
        if narrow { column.narrow_width } else { column.min_width }.min(longest)
    };
    let all = |narrow: bool| (0..columns.len()).map(|at| width(at, narrow && is_important(at))).collect::<Vec<_>>();
    // Sentences become narrower only if an important column does not fit otherwise.
    let missing =
        |chosen: &[usize]| importance.iter().filter(|at| **at < columns.len() && !chosen.contains(at)).count();
    let min_width = [false, true].map(all);
    let [roomy, mut narrow] = min_width.each_ref().map(|widths| most_important(widths, importance, room));
    let is_narrow = missing(&narrow) < missing(&roomy);
    // Columns of less importance give their room to the narrow ones.
    narrow.retain(|at| is_important(*at));
    let (chosen, min_width) = if is_narrow { (narrow, &min_width[1]) } else { (roomy, &min_width[0]) };
    let first = min_width[0].min(room.saturating_sub(COLUMN_PADDING)).max(1);
    let widths = chosen.iter().map(|at| if *at == 0 { first } else { min_width[*at] }).collect();
    widened(columns, chosen, widths, room)
}

/// Selects columns in the order of importance while they fit. Returns their indices in the order of the table.
fn most_important(min_width: &[usize], importance: &[usize], room: usize) -> Vec<usize> {
    let others = (1..min_width.len()).filter(|column| !importance.contains(column));
    let ranked = importance.iter().copied().filter(|column| (1..min_width.len()).contains(column)).chain(others);
    let mut left = room.saturating_sub(min_width[0].max(1) + COLUMN_PADDING);
    let mut chosen = vec![0];
    for column in ranked {
        let needed = min_width[column] + COLUMN_PADDING;
        if needed > left {
            break;
        }
        left -= needed;
        chosen.push(column);
    }
    chosen.sort_unstable();
    chosen
}

/// Distributes the remaining width evenly to the columns that need more.
fn widened(columns: &[Column], chosen: Vec<usize>, mut widths: Vec<usize>, room: usize) -> Choice {
    let taken: usize = widths.iter().map(|width| width + COLUMN_PADDING).sum();
    let mut left = room.saturating_sub(taken);
    // First columns whose words would be cut, then columns whose sentences would be wrapped.
    for wanted in [|column: &Column| column.longest_word, |column: &Column| column.natural] {
        loop {
            let short = (0..chosen.len()).filter(|at| widths[*at] < wanted(&columns[chosen[*at]]));
            let Some(narrowest) = short.min_by_key(|at| widths[*at]).filter(|_| left > 0) else { break };
            widths[narrowest] += 1;
            left -= 1;
        }
    }
    Choice { slots: chosen.into_iter().zip(widths).collect() }
}
