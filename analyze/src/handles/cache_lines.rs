//! Cache lines, and who has them.

use super::FastMap;

/// Nobody.
const NOBODY: u32 = u32::MAX;
/// Of a line that moves, so many contexts, objects and calls are named.
const NAMED: usize = 8;
/// Lines of one access that are looked at: what a driver touches in one call is less, and a trace may say anything.
const MOST_LINES: u64 = 1 << 10;
/// Lines that move most are told; of those that are gone, so many are kept at least.
const KEPT: usize = 64;

/// A line that moved from one context to another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contended {
    /// Its first address.
    pub address: u64,
    /// How often it moved.
    pub moves: u64,
    /// More than one context wrote to it.
    pub is_shared: bool,
    /// Places of the contexts.
    pub contexts: Vec<u32>,
    /// The handles behind which it was touched: types and the objects' handles of the immediate context.
    pub objects: Vec<(u32, u64)>,
    /// The lines of the calls.
    pub calls: Vec<u16>,
}

/// A line that has been touched.
#[derive(Debug)]
struct Line {
    /// The context that wrote it last.
    writer: u32,
    /// The one that has read it last since then.
    reader: u32,
    contended: Option<Box<Contended>>,
}

/// What touches a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// Place of the context.
    pub by: u32,
    pub is_write: bool,
    /// The line of the call.
    pub call: u16,
    /// Type of the handle, and its object's handle of the immediate context.
    pub object: (u32, u64),
}

/// All that have been touched since the handles on them are there.
#[derive(Debug)]
pub(super) struct CacheLines {
    pub line_bytes: u64,
    lines: FastMap<u64, Line>,
    gone: Vec<Contended>,
    /// Lines that more than one context wrote to.
    pub shared: u64,
    /// Lines that moved.
    pub contended: u64,
    /// How often lines moved.
    pub moves: u64,
    /// Lines that were touched.
    pub touched: u64,
}

fn keep<T: PartialEq>(named: &mut Vec<T>, one: T) {
    if named.len() < NAMED && !named.contains(&one) {
        named.push(one);
    }
}

impl CacheLines {
    pub fn new(line_bytes: u64) -> CacheLines {
        let lines = FastMap::default();
        CacheLines { line_bytes, lines, gone: Vec::new(), shared: 0, contended: 0, moves: 0, touched: 0 }
    }

    /// The numbers of the lines of some bytes.
    fn of(&self, address: u64, size_bytes: u64) -> std::ops::RangeInclusive<u64> {
        let last = address.saturating_add(size_bytes.max(1) - 1);
        address / self.line_bytes..=last / self.line_bytes
    }

    /// Some bytes are touched.
    pub fn touch(&mut self, address: u64, size_bytes: u64, touch: Touch) {
        let size_bytes = size_bytes.min(MOST_LINES * self.line_bytes);
        for number in self.of(address, size_bytes) {
            let before = self.lines.len();
            let none = || Line { writer: NOBODY, reader: NOBODY, contended: None };
            let line = self.lines.entry(number).or_insert_with(none);
            let moved = line.writer != NOBODY && line.writer != touch.by
                || touch.is_write && line.reader != NOBODY && line.reader != touch.by;
            if moved {
                let (new, shared) = line.moved(number * self.line_bytes, touch);
                self.contended += u64::from(new);
                self.shared += u64::from(shared);
                self.moves += 1;
            }
            let held = if touch.is_write { &mut line.writer } else { &mut line.reader };
            *held = touch.by;
            if touch.is_write {
                line.reader = NOBODY;
            }
            self.touched += (self.lines.len() - before) as u64;
        }
    }

    /// A handle's memory is gone, and with it the lines.
    pub fn forget(&mut self, address: u64, size_bytes: u64) {
        let numbers = self.of(address, size_bytes);
        let CacheLines { lines, gone, .. } = self;
        if numbers.end() - numbers.start() > lines.len() as u64 {
            // A large handle of which few lines were touched.
            let are_gone = lines.extract_if(|number, _| numbers.contains(number));
            gone.extend(are_gone.filter_map(|(_, line)| line.contended).map(|contended| *contended));
        } else {
            let are_gone = numbers.filter_map(|number| lines.remove(&number));
            gone.extend(are_gone.filter_map(|line| line.contended).map(|contended| *contended));
        }
        if self.gone.len() > 2 * KEPT {
            self.gone.sort_by_key(|line| (std::cmp::Reverse(line.moves), line.address));
            self.gone.truncate(KEPT);
        }
    }

    /// Those that moved most, the worst first.
    pub fn worst(&self) -> Vec<Contended> {
        let alive = self.lines.values().filter_map(|line| line.contended.as_deref());
        let mut all: Vec<Contended> = self.gone.iter().chain(alive).cloned().collect();
        all.sort_by_key(|line| (std::cmp::Reverse(line.moves), line.address));
        all.truncate(KEPT);
        all
    }
}

impl Line {
    /// It moves. Gives whether that is the first time, and whether it is the first time that a second context writes.
    fn moved(&mut self, address: u64, touch: Touch) -> (bool, bool) {
        let new = self.contended.is_none();
        let others = [self.writer, self.reader].into_iter().filter(|other| *other != NOBODY);
        let others: Vec<u32> = others.collect();
        let second = touch.is_write && self.writer != NOBODY && self.writer != touch.by;
        let contended = self.contended.get_or_insert_with(|| Box::new(Contended { address, ..Contended::default() }));
        contended.moves += 1;
        others.into_iter().chain([touch.by]).for_each(|context| keep(&mut contended.contexts, context));
        keep(&mut contended.objects, touch.object);
        keep(&mut contended.calls, touch.call);
        let shared = second && !contended.is_shared;
        contended.is_shared |= second;
        (new, shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Rule H-32, by a plain reading of a list of accesses to one line.
        #[test]
        fn h32_a_line_is_shared_by_its_writers_and_moves_to_whoever_did_not_touch_it_last(
            touches in prop::collection::vec((0_u32..3, any::<bool>()), 1..40),
        ) {
            let mut lines = CacheLines::new(64);
            let mut moves = 0;
            for (place, (by, is_write)) in touches.iter().enumerate() {
                lines.touch(0x1000 + place as u64 % 57, 8, Touch { by: *by, is_write: *is_write, call: 0, object: (0, 0) });
                let before = &touches[..place];
                let written = before.iter().rposition(|touch| touch.1);
                let writer = written.map(|at| before[at].0);
                let reader = before.iter().skip(written.map_or(0, |at| at + 1)).next_back().map(|touch| touch.0);
                let other = |who: Option<u32>| who.is_some_and(|who| who != *by);
                moves += u64::from(other(writer) || *is_write && other(reader));
            }
            let writers: std::collections::BTreeSet<u32> = touches.iter().filter(|touch| touch.1).map(|touch| touch.0).collect();
            prop_assert_eq!((lines.moves, lines.shared), (moves, u64::from(writers.len() > 1)));
            prop_assert_eq!(lines.contended, u64::from(moves > 0));
            prop_assert_eq!(lines.worst().first().map(|line| line.moves), (moves > 0).then_some(moves));
            lines.forget(0x1000, 64);
            prop_assert_eq!(lines.worst().len() as u64, lines.contended);
        }
    }
}
