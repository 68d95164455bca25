//! Tests of lines in one thread, and a model of slots in a process that is killed at any moment.

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
    fn a_line_round_trips_and_a_changed_bit_is_detected(
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
            line.set_first_ordinal(first);
        }
        let state = line.read().unwrap().unwrap();
        prop_assert_eq!((state.stream, state.turn, state.lost_before), (stream, turn, lost));
        prop_assert_eq!((state.reserved, state.committed, state.dropped, state.refused), (end as u64, end as u64, 3, 4));
        prop_assert_eq!(state.first, if settled { First::Settled(first) } else { First::Provisional(first) });
        words[bit / 64].fetch_xor(1 << (bit % 64), Ordering::Relaxed);
        prop_assert_ne!(line.read(), Ok(Some(state)), "it may not say the same");
        words[bit / 64].fetch_xor(1 << (bit % 64), Ordering::Relaxed);
        line.free();
        prop_assert_eq!(line.read(), Ok(None));
    }
}

/// Word of memory that survives a process: after the kill, stores have no effect.
#[derive(Debug, Clone)]
struct SurvivingWord(Arc<(AtomicU64, Arc<AtomicBool>)>);

impl SurvivingWord {
    fn new(killed: &Arc<AtomicBool>) -> SurvivingWord {
        SurvivingWord(Arc::new((AtomicU64::new(0), Arc::clone(killed))))
    }

    fn now(&self) -> u64 {
        self.0.0.load(Ordering::SeqCst)
    }
}

impl Word for SurvivingWord {
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

/// Slot of the model. A record is one word: its turn and its ordinal.
#[derive(Clone)]
struct Slot {
    line: [SurvivingWord; LINE_WORDS],
    records: [SurvivingWord; RECORDS],
}

fn a_kill_loses_nothing_that_was_committed() {
    let killed = Arc::new(AtomicBool::new(false));
    let surviving = || SurvivingWord::new(&killed);
    let slots: [Slot; SLOTS] = std::array::from_fn(|_| Slot {
        line: std::array::from_fn(|_| surviving()),
        records: std::array::from_fn(|_| surviving()),
    });
    let (intended, done) = (surviving(), surviving());
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
                line.set_first_ordinal(first);
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
                    let records = held.iter().flat_map(|at: &usize| slots[*at].records.iter().map(SurvivingWord::now));
                    file.lock().unwrap().extend(records.map(|record| record & 0xffff_ffff));
                }
                for at in held.drain(..) {
                    SlotLine(&slots[at].line).free();
                    let _ = free.send(at);
                }
            };
            while let Ok(at) = filled.recv() {
                held.push(at);
                // A block holds the records of two slots.
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
