//! Lines in one thread, and a model of slots that a kill ends at any moment.

use super::*;
use proptest::prelude::*;
use shuttle::sync::mpsc::channel;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

fn line() -> [AtomicU64; LINE_WORDS] {
    std::array::from_fn(|_| AtomicU64::new(0))
}

proptest! {
    #[test]
    fn what_a_line_says_comes_back_and_a_changed_bit_is_noticed(
        (stream, turn, first, lost) in (any::<u32>(), 0..1u64 << 48, 0..1u64 << 48, 0..1u64 << 48),
        (settled, end, bit) in (any::<bool>(), 0..1usize << 30, 0..512usize),
    ) {
        let words = line();
        let line = SlotLine(&words);
        prop_assert_eq!(line.read(), Ok(None));
        line.take(stream, turn, first, lost);
        line.reserve(end);
        line.commit(end);
        line.lose(3, 4);
        if settled {
            line.settle(first);
        }
        let said = line.read().unwrap().unwrap();
        prop_assert_eq!((said.stream, said.turn, said.lost_before), (stream, turn, lost));
        prop_assert_eq!((said.reserved, said.committed, said.dropped, said.refused), (end as u64, end as u64, 3, 4));
        prop_assert_eq!(said.first, if settled { First::Settled(first) } else { First::Provisional(first) });
        words[bit / 64].fetch_xor(1 << (bit % 64), Ordering::Relaxed);
        prop_assert_ne!(line.read(), Ok(Some(said)), "it may not say the same");
        words[bit / 64].fetch_xor(1 << (bit % 64), Ordering::Relaxed);
        line.free();
        prop_assert_eq!(line.read(), Ok(None));
    }
}

/// A word of memory that outlives a process: after the kill, nothing is stored any more.
#[derive(Debug, Clone)]
struct Kept(Arc<(AtomicU64, Arc<AtomicBool>)>);

impl Kept {
    fn new(killed: &Arc<AtomicBool>) -> Kept {
        Kept(Arc::new((AtomicU64::new(0), Arc::clone(killed))))
    }

    fn now(&self) -> u64 {
        self.0.0.load(Ordering::SeqCst)
    }
}

impl Word for Kept {
    fn load(&self, _: Ordering) -> u64 {
        shuttle::thread::yield_now();
        self.now()
    }

    fn store(&self, value: u64, _: Ordering) {
        shuttle::thread::yield_now();
        if !self.0.1.load(Ordering::SeqCst) {
            self.0.0.store(value, Ordering::SeqCst);
        }
    }
}

const SLOTS: usize = 3;
const RECORDS: usize = 2;
const TURNS: u64 = 5;

/// A slot of a model: a record is one word, its turn and its ordinal.
#[derive(Clone)]
struct Slot {
    line: [Kept; LINE_WORDS],
    records: [Kept; RECORDS],
}

fn a_kill_loses_nothing_that_was_committed() {
    let killed = Arc::new(AtomicBool::new(false));
    let kept = || Kept::new(&killed);
    let slots: [Slot; SLOTS] = std::array::from_fn(|_| Slot {
        line: std::array::from_fn(|_| kept()),
        records: std::array::from_fn(|_| kept()),
    });
    let (intended, done) = (kept(), kept());
    let file = Arc::new(Mutex::new(Vec::<u64>::new()));
    let (fill, filled) = channel::<usize>();
    let (free, freed) = channel::<usize>();
    (0..SLOTS).for_each(|slot| free.send(slot).unwrap());
    let recorder = {
        let (slots, intended, done) = (slots.clone(), intended.clone(), done.clone());
        shuttle::thread::spawn(move || {
            let mut ordinal = 0;
            for turn in 0..TURNS {
                let at = freed.recv().unwrap();
                let (slot, first) = (&slots[at], ordinal);
                let line = SlotLine(&slot.line);
                line.take(1, turn, first, 0);
                for (place, record) in slot.records.iter().enumerate() {
                    intended.store(ordinal + 1, Ordering::SeqCst);
                    line.reserve(place + 1);
                    record.store((turn + 1) << 32 | ordinal, Ordering::SeqCst);
                    line.commit(place + 1);
                    ordinal += 1;
                    done.store(ordinal, Ordering::SeqCst);
                }
                line.settle(first);
                fill.send(at).unwrap();
            }
        })
    };
    let writer = {
        let (slots, file, killed) = (slots.clone(), Arc::clone(&file), Arc::clone(&killed));
        shuttle::thread::spawn(move || {
            let mut held = Vec::new();
            let close = |held: &mut Vec<usize>| {
                shuttle::thread::yield_now();
                if !killed.load(Ordering::SeqCst) {
                    let records = held.iter().flat_map(|at: &usize| slots[*at].records.iter().map(Kept::now));
                    file.lock().unwrap().extend(records.map(|record| record & 0xffff_ffff));
                }
                for at in held.drain(..) {
                    SlotLine(&slots[at].line).free();
                    let _ = free.send(at);
                }
            };
            while let Ok(at) = filled.recv() {
                held.push(at);
                // A block has two slots' records.
                if held.len() == 2 {
                    close(&mut held);
                }
            }
            close(&mut held);
        })
    };
    let killer = {
        let killed = Arc::clone(&killed);
        shuttle::thread::spawn(move || {
            shuttle::thread::yield_now();
            killed.store(true, Ordering::SeqCst);
        })
    };
    killer.join().unwrap();
    recorder.join().unwrap();
    writer.join().unwrap();
    let mut found = file.lock().unwrap().clone();
    let mut left: Vec<(LineState, &Slot)> =
        slots.iter().filter_map(|slot| Some((SlotLine(&slot.line).read().unwrap()?, slot))).collect();
    left.sort_by_key(|(line, _)| line.turn);
    for (line, slot) in left {
        let (First::Settled(first) | First::Provisional(first)) = line.first;
        for (place, record) in slot.records.iter().enumerate() {
            let ordinal = first + place as u64;
            let is_sound = record.now() == (line.turn + 1) << 32 | ordinal;
            assert!(is_sound || line.committed <= place as u64, "{line:?}: what was committed is sound");
            if is_sound && ordinal >= found.len() as u64 {
                found.push(ordinal);
            }
        }
    }
    let count = found.len() as u64;
    assert!(found.iter().copied().eq(0..count), "in order, none left out: {found:?}");
    assert!((done.now()..=intended.now()).contains(&count), "{count} of {} done", done.now());
}

#[test]
fn a_slot_is_sound_whenever_the_process_ends() {
    shuttle::check_random(a_kill_loses_nothing_that_was_committed, 3000);
    shuttle::check_pct(a_kill_loses_nothing_that_was_committed, 1000, 3);
}
