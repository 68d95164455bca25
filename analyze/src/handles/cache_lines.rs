//! Cache lines of handle memory, and the contexts that access them.

use super::FastMap;

/// No context.
const NOBODY: u32 = u32::MAX;
/// Max contexts, objects and calls that are listed for a contended line.
const NAMED: usize = 8;
/// Max entries of words that are listed for a contended line.
const LISTED_WORDS: usize = 64;
/// Size of a word in bytes.
const WORD_BYTES: u64 = 8;
/// Max lines of one access that are processed: more than a driver touches in one call, and a bound for damaged traces.
const MAX_LINES: u64 = 1 << 10;
/// Number of lines with the most transfers that are reported; also the min number of former lines that are retained.
const MAX_REPORTED: usize = 64;

/// A line that moved from one context to another.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContendedLine {
    /// Address of its first byte.
    pub address: u64,
    pub transfers: u64,
    /// Number of writes of all contexts, also before the first transfer: it does not depend on the order of threads.
    pub writes: u64,
    /// True if more than one context wrote to it.
    pub is_shared: bool,
    /// Indices of the contexts.
    pub contexts: Vec<u32>,
    /// The handles whose memory was touched: their types, and their objects' handles of the immediate context.
    pub objects: Vec<(u32, u64)>,
    /// The lines (of the DDI's list) of the calls.
    pub calls: Vec<u16>,
    /// Accesses of each listed context, beginning with the last ones before the first transfer.
    pub accesses: Vec<LineAccesses>,
    /// Accesses by word, context and call.
    pub words: Vec<WordAccesses>,
}

/// Accesses of one context to a word of a contended line, in one call of the DDI's list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WordAccesses {
    /// Offset in the line.
    pub offset_bytes: u64,
    /// Index of the context.
    pub context: u32,
    /// The line of the call.
    pub call: u16,
    pub reads: u64,
    pub writes: u64,
}

/// Accesses of one context to a contended line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineAccesses {
    /// Index of the context.
    pub context: u32,
    pub reads: u64,
    pub writes: u64,
}

impl ContendedLine {
    /// True if the contexts contend for the same word: one writes it, and another one accesses it.
    pub fn is_truly_shared(&self) -> bool {
        let is_writer = |one: &&WordAccesses| one.writes > 0;
        self.words.iter().filter(is_writer).any(|one| {
            self.words.iter().any(|other| other.offset_bytes == one.offset_bytes && other.context != one.context)
        })
    }

    /// Counts an access to words.
    fn count_words(&mut self, context: u32, is_write: bool, words: WordSpan) {
        for word in words.first..=words.last {
            let (offset_bytes, call) = (u64::from(word) * WORD_BYTES, words.call);
            let is_same =
                |one: &WordAccesses| (one.offset_bytes, one.context, one.call) == (offset_bytes, context, call);
            let place = match self.words.iter().position(is_same) {
                Some(place) => place,
                None if self.words.len() < LISTED_WORDS => {
                    self.words.push(WordAccesses { offset_bytes, context, call, reads: 0, writes: 0 });
                    self.words.len() - 1
                }
                None => continue,
            };
            *if is_write { &mut self.words[place].writes } else { &mut self.words[place].reads } += 1;
        }
    }

    /// Counts an access of a context; of further contexts than are listed none is counted.
    fn count(&mut self, context: u32, is_write: bool) {
        let place = self.accesses.iter().position(|accesses| accesses.context == context);
        let place = place.unwrap_or_else(|| {
            if self.accesses.len() < NAMED {
                self.accesses.push(LineAccesses { context, ..LineAccesses::default() });
            }
            self.accesses.len() - 1
        });
        let accesses = &mut self.accesses[place];
        if accesses.context == context {
            *if is_write { &mut accesses.writes } else { &mut accesses.reads } += 1;
        }
    }
}

/// Words of a line that one access touched, and its call.
#[derive(Debug, Clone, Copy, Default)]
struct WordSpan {
    first: u16,
    last: u16,
    call: u16,
}

/// A line that has been touched.
#[derive(Debug)]
struct Line {
    /// The last context that wrote to it, and the words of its last write.
    writer: u32,
    written: WordSpan,
    /// The last context that read it since then, and the words of its last read.
    reader: u32,
    read: WordSpan,
    /// Earlier contexts that read it since then.
    earlier_readers: Vec<u32>,
    /// Number of writes.
    writes: u64,
    contended: Option<Box<ContendedLine>>,
}

/// An access to a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// Index of the context.
    pub by: u32,
    pub is_write: bool,
    /// The line of the call.
    pub call: u16,
    /// Type of the handle, and its object's handle of the immediate context.
    pub object: (u32, u64),
}

/// Lines touched since the creation of the handles on them.
#[derive(Debug)]
pub(super) struct CacheLineModel {
    pub line_bytes: u64,
    lines: FastMap<u64, Line>,
    gone: Vec<ContendedLine>,
    /// Number of lines that more than one context wrote to.
    pub shared: u64,
    /// Number of lines that moved.
    pub contended: u64,
    /// Number of transfers.
    pub transfers: u64,
    /// Number of lines touched.
    pub touched: u64,
}

fn keep<T: PartialEq>(named: &mut Vec<T>, one: T) {
    if named.len() < NAMED && !named.contains(&one) {
        named.push(one);
    }
}

impl CacheLineModel {
    pub fn new(line_bytes: u64) -> CacheLineModel {
        let lines = FastMap::default();
        CacheLineModel { line_bytes, lines, gone: Vec::new(), shared: 0, contended: 0, transfers: 0, touched: 0 }
    }

    /// Numbers of the lines of a range of bytes.
    fn of(&self, address: u64, size_bytes: u64) -> std::ops::RangeInclusive<u64> {
        let last = address.saturating_add(size_bytes.max(1) - 1);
        address / self.line_bytes..=last / self.line_bytes
    }

    /// Processes an access to a range of bytes.
    pub fn touch(&mut self, address: u64, size_bytes: u64, touch: Touch) {
        let size_bytes = size_bytes.min(MAX_LINES * self.line_bytes);
        for number in self.of(address, size_bytes) {
            let before = self.lines.len();
            let none = || Line {
                writer: NOBODY,
                written: WordSpan::default(),
                reader: NOBODY,
                read: WordSpan::default(),
                earlier_readers: Vec::new(),
                writes: 0,
                contended: None,
            };
            let line = self.lines.entry(number).or_insert_with(none);
            let begin = number * self.line_bytes;
            let last_byte = address.saturating_add(size_bytes.max(1) - 1).min(begin + (self.line_bytes - 1));
            let words = WordSpan {
                first: (address.saturating_sub(begin) / WORD_BYTES) as u16,
                last: ((last_byte - begin) / WORD_BYTES) as u16,
                call: touch.call,
            };
            // A write takes the line from its writer and every reader. A read takes it from its writer, once: later reads of
            // the context find the line in its own cache.
            let is_of_another = line.writer != NOBODY && line.writer != touch.by;
            let moved = match touch.is_write {
                true => is_of_another || line.is_read_by_another(touch.by),
                false => is_of_another && !line.is_read_by(touch.by),
            };
            if moved {
                let (new, shared) = line.moved(number * self.line_bytes, touch);
                self.contended += u64::from(new);
                self.shared += u64::from(shared);
                self.transfers += 1;
            }
            line.writes += u64::from(touch.is_write);
            if let Some(contended) = &mut line.contended {
                contended.writes = line.writes;
                contended.count(touch.by, touch.is_write);
                contended.count_words(touch.by, touch.is_write, words);
            }
            if touch.is_write {
                (line.writer, line.written) = (touch.by, words);
                line.reader = NOBODY;
                line.earlier_readers.clear();
            } else {
                line.read_by(touch.by, words);
            }
            self.touched += (self.lines.len() - before) as u64;
        }
    }

    /// Removes the lines of a destroyed handle's memory.
    pub fn forget(&mut self, address: u64, size_bytes: u64) {
        let numbers = self.of(address, size_bytes);
        let CacheLineModel { lines, gone, .. } = self;
        if numbers.end() - numbers.start() > lines.len() as u64 {
            // A large handle with few touched lines: searching the touched lines is faster.
            let are_gone = lines.extract_if(|number, _| numbers.contains(number));
            gone.extend(are_gone.filter_map(|(_, line)| line.contended).map(|contended| *contended));
        } else {
            let are_gone = numbers.filter_map(|number| lines.remove(&number));
            gone.extend(are_gone.filter_map(|line| line.contended).map(|contended| *contended));
        }
        if self.gone.len() > 2 * MAX_REPORTED {
            self.gone.sort_by_key(|line| (std::cmp::Reverse(line.transfers), line.address));
            self.gone.truncate(MAX_REPORTED);
        }
    }

    /// The lines with the most transfers, in descending order.
    pub fn worst(&self) -> Vec<ContendedLine> {
        let alive = self.lines.values().filter_map(|line| line.contended.as_deref());
        let mut all: Vec<ContendedLine> = self.gone.iter().chain(alive).cloned().collect();
        all.sort_by_key(|line| (std::cmp::Reverse(line.transfers), line.address));
        all.truncate(MAX_REPORTED);
        all
    }
}

impl Line {
    /// True if a context has read the line since its last write.
    fn is_read_by(&self, context: u32) -> bool {
        self.reader == context || self.earlier_readers.contains(&context)
    }

    /// True if another context has read the line since its last write.
    fn is_read_by_another(&self, context: u32) -> bool {
        let mut readers = self.earlier_readers.iter().chain([&self.reader]);
        readers.any(|reader| *reader != NOBODY && *reader != context)
    }

    /// Notes a read.
    fn read_by(&mut self, context: u32, words: WordSpan) {
        if self.reader != NOBODY && self.reader != context {
            self.earlier_readers.retain(|reader| *reader != context);
            self.earlier_readers.push(self.reader);
        }
        (self.reader, self.read) = (context, words);
    }

    /// Counts a move. Returns true if it is the line's first; and true if it is the first write of a second context.
    fn moved(&mut self, address: u64, touch: Touch) -> (bool, bool) {
        let new = self.contended.is_none();
        let others = [self.writer, self.reader].into_iter().filter(|other| *other != NOBODY);
        let others: Vec<u32> = others.collect();
        let second = touch.is_write && self.writer != NOBODY && self.writer != touch.by;
        let [writer, reader] = [(self.writer, self.written), (self.reader, self.read)];
        let contended = self.contended.get_or_insert_with(|| {
            let mut contended = ContendedLine { address, ..ContendedLine::default() };
            let holders = [(writer, true), (reader, false)].into_iter().filter(|((holder, _), _)| *holder != NOBODY);
            holders.for_each(|((holder, words), is_write)| {
                contended.count(holder, is_write);
                contended.count_words(holder, is_write, words);
            });
            Box::new(contended)
        });
        contended.transfers += 1;
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

    #[test]
    fn accesses_to_a_contended_line_are_counted_by_context_from_its_holders_on() {
        let mut lines = CacheLineModel::new(64);
        for (by, is_write) in [(1, true), (1, true), (2, false), (2, true), (1, false), (1, false)] {
            lines.touch(0x1000, 8, Touch { by, is_write, call: 0, object: (0, 0) });
        }
        let line = lines.worst().pop().unwrap_or_default();
        let found: Vec<_> = line.accesses.iter().map(|one| (one.context, one.reads, one.writes)).collect();
        // Of the two writes before the first transfer the last one counts.
        assert_eq!(found, [(1, 2, 1), (2, 1, 1)]);
        assert_eq!(line.writes, 3, "all writes");
    }

    #[test]
    fn a_context_reads_a_line_of_another_once_until_the_next_write() {
        let transfers = |touches: &[(u32, bool)]| {
            let mut lines = CacheLineModel::new(64);
            for (by, is_write) in touches {
                lines.touch(0x1000, 8, Touch { by: *by, is_write: *is_write, call: 0, object: (0, 0) });
            }
            lines.transfers
        };
        let (read, write) = (false, true);
        assert_eq!(transfers(&[(1, write), (2, read), (2, read)]), 1, "two reads, in one call or several");
        assert_eq!(transfers(&[(1, write), (2, read), (3, read), (2, read)]), 2, "each context reads once");
        assert_eq!(transfers(&[(1, write), (2, read), (1, write), (2, read)]), 3, "each write takes the line back");
        assert_eq!(transfers(&[(1, write), (2, read), (1, read), (1, write)]), 2, "the other context had the line");
        assert_eq!(transfers(&[(1, write), (1, read), (1, write)]), 0);
    }

    fn contended(touches: &[(u32, bool, u64)]) -> ContendedLine {
        let mut lines = CacheLineModel::new(64);
        for (by, is_write, offset_bytes) in touches {
            let touch = Touch { by: *by, is_write: *is_write, call: *by as u16 + 10, object: (0, 0) };
            lines.touch(0x1000 + offset_bytes, 8, touch);
        }
        lines.worst().pop().unwrap_or_default()
    }

    #[test]
    fn different_words_of_a_contended_line_are_false_sharing() {
        let line = contended(&[(1, true, 0), (2, true, 8), (1, false, 0), (1, true, 0)]);
        assert!(!line.is_truly_shared());
        let words: Vec<_> =
            line.words.iter().map(|one| (one.offset_bytes, one.context, one.call, one.reads, one.writes)).collect();
        assert_eq!(words, [(0, 1, 11, 1, 2), (8, 2, 12, 0, 1)]);
    }

    #[test]
    fn the_same_word_of_a_contended_line_is_true_sharing() {
        assert!(contended(&[(1, true, 16), (2, true, 16)]).is_truly_shared());
        assert!(contended(&[(1, true, 16), (2, false, 16)]).is_truly_shared());
        // The line moves by the write to another word; the common word is read alone.
        assert!(!contended(&[(1, false, 16), (2, false, 16), (2, true, 24), (1, false, 16)]).is_truly_shared());
        // Three bytes before a word and five in it.
        assert!(contended(&[(1, true, 13), (2, true, 16)]).is_truly_shared());
    }

    proptest! {
        /// Checks rule H-32 against a direct evaluation of a list of accesses to one line.
        #[test]
        fn h32_a_line_is_shared_by_its_writers_and_moves_between_contexts(
            touches in prop::collection::vec((0_u32..3, any::<bool>()), 1..40),
        ) {
            let mut lines = CacheLineModel::new(64);
            let mut transfers = 0;
            for (place, (by, is_write)) in touches.iter().enumerate() {
                lines.touch(0x1000 + place as u64 % 57, 8, Touch { by: *by, is_write: *is_write, call: 0, object: (0, 0) });
                let before = &touches[..place];
                let written = before.iter().rposition(|touch| touch.1);
                let is_of_another = written.is_some_and(|at| before[at].0 != *by);
                let readers: Vec<u32> =
                    before.iter().skip(written.map_or(0, |at| at + 1)).map(|touch| touch.0).collect();
                transfers += u64::from(match is_write {
                    true => is_of_another || readers.iter().any(|reader| reader != by),
                    false => is_of_another && !readers.contains(by),
                });
            }
            let writers: std::collections::BTreeSet<u32> = touches.iter().filter(|touch| touch.1).map(|touch| touch.0).collect();
            prop_assert_eq!((lines.transfers, lines.shared), (transfers, u64::from(writers.len() > 1)));
            prop_assert_eq!(lines.contended, u64::from(transfers > 0));
            let writes = touches.iter().filter(|touch| touch.1).count() as u64;
            prop_assert_eq!(lines.worst().first().map(|line| line.writes), (transfers > 0).then_some(writes));
            prop_assert_eq!(lines.worst().first().map(|line| line.transfers), (transfers > 0).then_some(transfers));
            lines.forget(0x1000, 64);
            prop_assert_eq!(lines.worst().len() as u64, lines.contended);
        }
    }
}
