//! Text of the alignment report: uses of buffers.

use super::{AlignmentFigures, BufferUses};
use crate::render::{Document, TextTable, counted, grouped};

/// Adds a sentence and a table if a buffer has a use that requires an alignment.
pub(super) fn uses(figures: &AlignmentFigures, document: &mut Document) {
    let uses = &figures.buffer_uses;
    if uses.is_empty() {
        return;
    }
    let sum = |uses: &mut dyn Iterator<Item = &BufferUses>| uses.map(|uses| uses.buffers).sum::<u64>();
    let below = sum(&mut uses.iter().filter(|uses| uses.is_below_floor));
    let verdict = match below {
        0 => "no alignment is below the floor.".to_owned(),
        1 => "1 alignment is below the floor.".to_owned(),
        below => format!("{} alignments are below the floor.", grouped(below)),
    };
    let all = sum(&mut uses.iter());
    let are = if all == 1 { "is" } else { "are" };
    document.text(format!(
        "{} {are} bound with a use that requires an alignment (floor); {verdict} With USE_TIGHT_ALIGNMENT and rules \
         1.619.4, set Alignment to the floor.",
        counted(all, "buffer")
    ));
    let titles = ["Bound as", "Floor", "Buffers", "Alignment", "Below floor", "Example"];
    let mut table = TextTable::new("Buffers by use, with the floor and the alignment in bytes", titles);
    table = table.words(5);
    for one in uses {
        let cells = [
            grouped(one.floor_bytes),
            grouped(one.buffers),
            one.alignment_bytes.map_or_else(|| "–".to_owned(), grouped),
            if one.is_below_floor { "yes" } else { "no" }.to_owned(),
            one.example.clone(),
        ];
        table.row(one.uses.join(", "), cells);
    }
    document.table(table);
}
