//! Which columns of a table are shown, and how wide each is.

use unicode_width::UnicodeWidthStr;

/// A column of words is given at least this, if it has as much to say, so that sentences stay readable.
const SENTENCE: usize = 24;

/// A number with its unit is not broken up to this width.
const NUMBER: usize = 28;

/// What a column takes beside its cells: a space on both sides, and one between columns.
const BESIDE: usize = 3;

/// What the column takes that stands for those left out.
const ELIDED: usize = 1 + BESIDE;

/// What a column has to say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Its widest cell.
    natural: usize,
    /// What it needs so that no word and no number breaks, and sentences have some room.
    least: usize,
    /// The longest word of a cell.
    longest_word: usize,
}

impl Column {
    /// Measures the cells, the heading's first.
    pub(super) fn measured<'a>(cells: impl Iterator<Item = &'a str>, is_right: bool) -> Column {
        let longest_word = |cell: &str| cell.split(' ').map(UnicodeWidthStr::width).max().unwrap_or(0);
        // An empty column takes a place, too.
        let mut column = Column { natural: 1, least: 1, longest_word: 1 };
        for (at, cell) in cells.enumerate() {
            let (width, word) = (cell.width(), longest_word(cell));
            column.natural = column.natural.max(width);
            column.longest_word = column.longest_word.max(word);
            let least = match (at, is_right) {
                (0, _) => word,
                (_, true) => word.max(width.min(NUMBER)),
                (_, false) => word.max(width.min(SENTENCE)),
            };
            column.least = column.least.max(least);
        }
        column
    }
}

/// Columns and widths; nothing where columns are left out.
#[derive(Debug)]
pub(super) struct Choice {
    /// A column and its width each.
    pub(super) slots: Vec<Option<(usize, usize)>>,
}

impl Choice {
    /// All columns, as wide as they are.
    pub(super) fn all(columns: &[Column]) -> Choice {
        Choice { slots: columns.iter().enumerate().map(|(at, column)| Some((at, column.natural))).collect() }
    }

    /// Whether no column is left out.
    pub(super) fn is_whole(&self) -> bool {
        self.slots.iter().all(Option::is_some)
    }

    /// How many columns are shown.
    pub(super) fn shown(&self) -> usize {
        self.slots.iter().flatten().count()
    }
}

/// The columns that fit in `room`, from both ends: the first and the last say most.
pub(super) fn choose(columns: &[Column], room: usize, may_elide: bool) -> Choice {
    // The last column has nothing after it.
    let room = room + 1;
    if !may_elide {
        let least: Vec<usize> = columns.iter().map(|column| column.least).collect();
        return widened(columns, (0..columns.len()).collect(), least, room);
    }
    let longest = (room / 3).max(SENTENCE);
    let least: Vec<usize> = columns.iter().map(|column| column.least.min(longest)).collect();
    if least.iter().map(|width| width + BESIDE).sum::<usize>() <= room {
        return widened(columns, (0..columns.len()).collect(), least, room);
    }
    let (kept, least) = from_both_ends(&least, room.saturating_sub(ELIDED));
    widened(columns, kept, least, room.saturating_sub(ELIDED))
}

/// Columns from both ends in turn while they fit, and the least width of each.
fn from_both_ends(least: &[usize], room: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut front, mut back) = (1, least.len());
    // One is shown whatever it takes.
    let first = least[0].min(room.saturating_sub(BESIDE)).max(1);
    let mut left = room.saturating_sub(first + BESIDE);
    loop {
        let at_back = back > front && least[back - 1] + BESIDE <= left && least.len() - back < front;
        let at_front = !at_back && back > front && least[front] + BESIDE <= left;
        let at_back = at_back || (!at_front && back > front && least[back - 1] + BESIDE <= left);
        match (at_back, at_front) {
            (true, _) => {
                back -= 1;
                left -= least[back] + BESIDE;
            }
            (false, true) => {
                left -= least[front] + BESIDE;
                front += 1;
            }
            (false, false) => break,
        }
    }
    let kept: Vec<usize> = (0..front).chain(back..least.len()).collect();
    let widths = kept.iter().map(|at| if *at == 0 { first } else { least[*at] }).collect();
    (kept, widths)
}

/// Gives what is left of the room to the columns that would be wider, as evenly as can be.
fn widened(columns: &[Column], kept: Vec<usize>, mut widths: Vec<usize>, room: usize) -> Choice {
    let taken: usize = widths.iter().map(|width| width + BESIDE).sum();
    let mut left = room.saturating_sub(taken);
    // Words that would be cut come before sentences that would be broken.
    for wanted in [|column: &Column| column.longest_word, |column: &Column| column.natural] {
        loop {
            let short = (0..kept.len()).filter(|at| widths[*at] < wanted(&columns[kept[*at]]));
            let Some(narrowest) = short.min_by_key(|at| widths[*at]).filter(|_| left > 0) else { break };
            widths[narrowest] += 1;
            left -= 1;
        }
    }
    let mut slots: Vec<Option<(usize, usize)>> = Vec::with_capacity(kept.len() + 1);
    for (at, column) in kept.iter().enumerate() {
        let follows = at.checked_sub(1).map_or(*column == 0, |before| kept[before] + 1 == *column);
        if !follows {
            slots.push(None);
        }
        slots.push(Some((*column, widths[at])));
    }
    if kept.last().is_some_and(|last| last + 1 < columns.len()) {
        slots.push(None);
    }
    Choice { slots }
}
