//! Transforms of a number column before its bytes are split into planes, and the choice of a transform.

/// Transform of the numbers of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transform {
    /// No transform.
    Plain = 0,
    /// Wrapping differences to the previous number.
    Delta = 1,
    /// Differences with the sign in the lowest bit.
    Zigzag = 2,
    /// Positions in a table of the distinct numbers.
    Dictionary = 3,
}

/// Max number of entries of a dictionary: a position has one byte.
pub(crate) const DICTIONARY_VALUES: usize = 256;

/// Differences between adjacent `numbers`, one fewer than these.
pub(crate) fn deltas(numbers: &[u64], zigzag: bool) -> impl Iterator<Item = u64> {
    numbers.windows(2).map(move |pair| {
        let delta = pair[1].wrapping_sub(pair[0]);
        if zigzag { to_zigzag(delta) } else { delta }
    })
}

/// Number that follows `sum` by this difference; the inverse of [`deltas`].
#[inline]
pub(crate) fn add_delta(sum: u64, delta: u64, zigzag: bool) -> u64 {
    sum.wrapping_add(if zigzag { (delta >> 1) ^ (delta & 1).wrapping_neg() } else { delta })
}

fn to_zigzag(delta: u64) -> u64 {
    (delta << 1) ^ ((delta as i64 >> 63) as u64)
}

/// Distinct numbers of a column, in order of first use, up to a limit.
pub(crate) struct Dictionary {
    pub entries: Vec<u64>,
    /// Position of each number of the column among the entries.
    pub positions: Vec<u8>,
    /// Hash table with open addressing: number and position + 1.
    table: Box<[(u64, u16); TABLE]>,
}

// A load factor of at most 1/4 keeps probe sequences short.
const TABLE: usize = 4 * DICTIONARY_VALUES;

impl Dictionary {
    pub fn new() -> Self {
        Self { entries: Vec::new(), positions: Vec::new(), table: Box::new([(0, 0); TABLE]) }
    }

    /// Builds the dictionary of `numbers`; `false` if there are too many distinct numbers.
    pub fn build(&mut self, numbers: &[u64]) -> bool {
        self.entries.clear();
        self.table.fill((0, 0));
        let mut positions = std::mem::take(&mut self.positions);
        positions.resize(numbers.len(), 0);
        let few = self.look_up(numbers, &mut positions);
        self.positions = positions;
        few
    }

    fn look_up(&mut self, numbers: &[u64], positions: &mut [u8]) -> bool {
        let (mut last, mut last_position) = (0, None);
        for (numbers, positions) in numbers.chunks(8).zip(positions.chunks_mut(8)) {
            // Fast path: runs of one number are frequent and cheap to detect.
            if let Some(position) = last_position
                && numbers.iter().fold(0, |bits, number| bits | (number ^ last)) == 0
            {
                positions.fill(position);
                continue;
            }
            for (number, place) in numbers.iter().zip(positions) {
                let (known, position) = self.table[hash(*number)];
                if known == *number && position != 0 {
                    *place = position.wrapping_sub(1) as u8;
                } else {
                    match self.position(*number) {
                        Some(position) => *place = position,
                        None => return false,
                    }
                }
                (last, last_position) = (*number, Some(*place));
            }
        }
        true
    }

    /// Position of a number that is not at its hash's cell: a new number, or one displaced by a collision.
    #[inline(never)]
    fn position(&mut self, number: u64) -> Option<u8> {
        let mut at = hash(number);
        loop {
            match self.table[at] {
                (known, position) if position != 0 && known == number => return Some((position - 1) as u8),
                (_, 0) => break,
                _ => at = (at + 1) % TABLE,
            }
        }
        if self.entries.len() == DICTIONARY_VALUES {
            return None;
        }
        self.entries.push(number);
        self.table[at] = (number, self.entries.len() as u16);
        Some((self.entries.len() - 1) as u8)
    }
}

fn hash(number: u64) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - TABLE.ilog2())) as usize % TABLE
}

/// Estimate of a column's encoded size under each transform, from the order-0 entropy of a sample's byte planes.
#[derive(Debug)]
pub(crate) struct TransformEstimate {
    /// `n · log2 n` in 1/256 bits. Integers, so that every machine makes the same choice.
    n_log_n: Vec<u64>,
    counts: Vec<u16>,
}

/// Number of windows of a sample, and numbers per window.
const WINDOWS: usize = 4;
const WINDOW: usize = 128;

impl TransformEstimate {
    pub fn new() -> Self {
        let n_log_n = (0..=(WINDOWS * WINDOW) as u64).map(|n| n * log2_in_256ths(n)).collect();
        Self { n_log_n, counts: vec![0; 256] }
    }

    /// Chooses the transform for `numbers`, which are not all equal. The dictionary is a candidate if there is one.
    pub fn choose(&mut self, numbers: &[u64], dictionary: Option<&Dictionary>) -> Transform {
        let (mut sample, mut deltas, mut zigzags, mut positions) = (vec![], vec![], vec![], vec![]);
        for range in windows(numbers.len()) {
            sample.extend_from_slice(&numbers[range.clone()]);
            let before = numbers[range.start.saturating_sub(1)];
            let mut last = before;
            for number in &numbers[range.clone()] {
                let delta = number.wrapping_sub(last);
                last = *number;
                deltas.push(delta);
                zigzags.push(to_zigzag(delta));
            }
            if let Some(dictionary) = dictionary {
                positions.extend(dictionary.positions[range].iter().map(|position| u64::from(*position)));
            }
        }
        let scale = |cost: u64| cost * numbers.len() as u64 / sample.len() as u64;
        let mut best = (Transform::Plain, scale(self.cost(&sample)));
        for (transform, candidate) in [(Transform::Delta, &deltas), (Transform::Zigzag, &zigzags)] {
            let cost = scale(self.cost(candidate));
            if cost < best.1 {
                best = (transform, cost);
            }
        }
        if let Some(dictionary) = dictionary {
            // Each entry of the dictionary takes 64 bits; costs are in 1/256 bits.
            let cost = scale(self.cost(&positions)) + 256 * 64 * dictionary.entries.len() as u64;
            if cost < best.1 {
                best = (Transform::Dictionary, cost);
            }
        }
        best.0
    }

    /// Order-0 entropy of the byte planes of `numbers`, in 1/256 bits, plus a constant cost per plane.
    fn cost(&mut self, numbers: &[u64]) -> u64 {
        let varying = numbers.iter().fold(0, |bits, number| bits | (number ^ numbers[0]));
        let mut cost = 0;
        for plane in (0..8).filter(|plane| varying >> (8 * plane) & 0xff != 0) {
            self.counts.fill(0);
            numbers.iter().for_each(|number| self.counts[usize::from((number >> (8 * plane)) as u8)] += 1);
            let used: u64 = self.counts.iter().map(|count| self.n_log_n[usize::from(*count)]).sum();
            cost += self.n_log_n[numbers.len()] - used + 256 * 8;
        }
        cost
    }
}

/// Evenly spread windows of up to 512 numbers in total.
fn windows(len: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let whole = len <= WINDOWS * WINDOW;
    let count = if whole { 1 } else { WINDOWS };
    let size = if whole { len } else { WINDOW };
    (0..count).map(move |index| {
        let start = (len - size) / count.max(2).saturating_sub(1) * index;
        start..start + size
    })
}

/// log2 of `n` in 1/256ths, rounded down; 0 for 0.
fn log2_in_256ths(n: u64) -> u64 {
    let Some(whole) = n.checked_ilog2() else { return 0 };
    let mut fraction = u128::from(n) << (62 - whole);
    let mut log = u64::from(whole);
    for _ in 0..8 {
        fraction = (fraction * fraction) >> 62;
        log <<= 1;
        if fraction >= 1 << 63 {
            log |= 1;
            fraction >>= 1;
        }
    }
    log
}
