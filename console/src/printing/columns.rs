//! Layout of a table: selection of columns and their widths.

use unicode_width::UnicodeWidthStr;

/// Minimum width of a text column whose cells are at least that wide: sentences stay readable.
const SENTENCE: usize = 24;

/// Maximum width up to which a number with its unit is not wrapped.
const NUMBER: usize = 28;

/// Width of a column beyond its cells: a space on both sides, and one between columns.
const COLUMN_PADDING: usize = 3;

/// Width of the column that stands for omitted ones.
const ELIDED: usize = 1 + COLUMN_PADDING;

/// Measured widths of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Width of the widest cell.
    natural: usize,
    /// Minimum width at which no word and no number is broken and sentences have some space.
    min_width: usize,
    /// Width of the longest word of a cell.
    longest_word: usize,
}

impl Column {
    /// Measures the cells, of which the first is the heading.
    pub(super) fn measured<'a>(cells: impl Iterator<Item = &'a str>, is_right: bool) -> Column {
        let longest_word = |cell: &str| cell.split(' ').map(UnicodeWidthStr::width).max().unwrap_or(0);
        // An empty column has width 1.
        let mut column = Column { natural: 1, min_width: 1, longest_word: 1 };
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
        }
        column
    }
}

/// Columns to show, with their widths; `None` stands for omitted columns.
#[derive(Debug)]
pub(super) struct Choice {
    /// Index and width of each column.
    pub(super) slots: Vec<Option<(usize, usize)>>,
}

impl Choice {
    /// Returns all columns in their natural width.
    pub(super) fn all(columns: &[Column]) -> Choice {
        Choice { slots: columns.iter().enumerate().map(|(at, column)| Some((at, column.natural))).collect() }
    }

    /// True if no column is omitted.
    pub(super) fn is_whole(&self) -> bool {
        self.slots.iter().all(Option::is_some)
    }

    /// Number of columns shown.
    pub(super) fn shown(&self) -> usize {
        self.slots.iter().flatten().count()
    }
}

/// Chooses columns that fit in `room` from both ends, because the first and the last are the most informative.
pub(super) fn choose(columns: &[Column], room: usize, may_elide: bool) -> Choice {
    // No separator follows the last column.
    let room = room + 1;
    if !may_elide {
        let min_width: Vec<usize> = columns.iter().map(|column| column.min_width).collect();
        return widened(columns, (0..columns.len()).collect(), min_width, room);
    }
    // No single column may claim more than a third of the width at first.
    let longest = (room / 3).max(SENTENCE);
    let min_width: Vec<usize> = columns.iter().map(|column| column.min_width.min(longest)).collect();
    if min_width.iter().map(|width| width + COLUMN_PADDING).sum::<usize>() <= room {
        return widened(columns, (0..columns.len()).collect(), min_width, room);
    }
    let (chosen, min_width) = from_both_ends(&min_width, room.saturating_sub(ELIDED));
    widened(columns, chosen, min_width, room.saturating_sub(ELIDED))
}

/// Selects columns from both ends in turn while they fit; returns them with their minimum widths.
fn from_both_ends(min_width: &[usize], room: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut front, mut back) = (1, min_width.len());
    // The first column is always shown, whatever its width.
    let first = min_width[0].min(room.saturating_sub(COLUMN_PADDING)).max(1);
    let mut left = room.saturating_sub(first + COLUMN_PADDING);
    loop {
        let at_back = back > front && min_width[back - 1] + COLUMN_PADDING <= left && min_width.len() - back < front;
        let at_front = !at_back && back > front && min_width[front] + COLUMN_PADDING <= left;
        let at_back = at_back || (!at_front && back > front && min_width[back - 1] + COLUMN_PADDING <= left);
        match (at_back, at_front) {
            (true, _) => {
                back -= 1;
                left -= min_width[back] + COLUMN_PADDING;
            }
            (false, true) => {
                left -= min_width[front] + COLUMN_PADDING;
                front += 1;
            }
            (false, false) => break,
        }
    }
    let chosen: Vec<usize> = (0..front).chain(back..min_width.len()).collect();
    let widths = chosen.iter().map(|at| if *at == 0 { first } else { min_width[*at] }).collect();
    (chosen, widths)
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
    let mut slots: Vec<Option<(usize, usize)>> = Vec::with_capacity(chosen.len() + 1);
    for (at, column) in chosen.iter().enumerate() {
        let follows = at.checked_sub(1).map_or(*column == 0, |before| chosen[before] + 1 == *column);
        if !follows {
            slots.push(None);
        }
        slots.push(Some((*column, widths[at])));
    }
    if chosen.last().is_some_and(|last| last + 1 < columns.len()) {
        slots.push(None);
    }
    Choice { slots }
}
