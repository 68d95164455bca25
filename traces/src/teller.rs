//! What a recording says of itself, made into blocks: where its blocks are, what time it is, whose the streams are, what was lost
//! and what its events are.

use crate::block_info::BlockInfo;
use crate::block_list::BlockList;
use crate::docs_block::{self, Untold};
use crate::envelope::{CLOCK, CRITICAL, DOCS, GAP, NOTE, SCHEMA, STREAMS};
use crate::gap::{GapCause, Losing};
use crate::own::{Own, UNKEPT, note};
use crate::schema_block::Undefined;
use crate::stream_info::{self, StreamInfo};
use crate::told::Told;
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// Makes blocks of what a recording says of itself.
#[derive(Debug)]
pub(crate) struct Teller {
    /// The blocks of a trace that is written straight; of one that keeps only its last, those made here alone.
    pub list: BlockList,
    untold: Untold,
    undefined: Undefined,
    /// Streams that are told of before the next block of records.
    new_streams: Vec<StreamInfo>,
    streams: Vec<StreamInfo>,
    /// Why buffers do not outlive the process, if they do not.
    unkept: Option<String>,
    /// By stream, events whose rows did not have their layout.
    rejected: BTreeMap<u32, Losing>,
    out: Vec<u8>,
}

impl Teller {
    pub fn new(list: BlockList, untold: Untold, undefined: Undefined) -> Teller {
        let (new_streams, streams, rejected, out) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        Teller { list, untold, undefined, new_streams, streams, unkept: None, rejected, out }
    }

    /// Says these things.
    pub fn tell(&mut self, own: impl IntoIterator<Item = Own>) {
        for own in own {
            match own {
                Own::Clock(reading) => self.block(CLOCK, reading.told(), &[]),
                Own::Gap(gap) => self.block(GAP, gap.told(), &[]),
                Own::Unkept(why) => {
                    self.note_unkept(&why);
                    self.unkept = Some(why);
                }
                Own::Stream(stream) => self.new_streams.push(stream),
            }
        }
    }

    /// Says whose the streams are that came since this was last said.
    pub fn streams(&mut self) {
        if !self.new_streams.is_empty() {
            let (told, payload) = stream_info::contents(&self.new_streams);
            self.block(STREAMS, told, &payload);
            self.streams.append(&mut self.new_streams);
        }
    }

    fn note_unkept(&mut self, why: &str) {
        self.block(NOTE, Told { count: UNKEPT, words: [0; 4] }, note(why));
    }

    /// Says once more why buffers do not outlive the process, and whose the streams are, the newest ones, as far as so many bytes
    /// go.
    pub fn again(&mut self, most_bytes: usize) {
        let bytes = |stream: &StreamInfo| stream_info::ENTRY_BYTES + stream.name.len();
        let unkept = self.unkept.clone();
        unkept.iter().for_each(|why| self.note_unkept(why));
        let mut left = most_bytes.saturating_sub(unkept.as_deref().map_or(0, |why| note(why).len()));
        let fits = self.streams.iter().rev().take_while(|stream| {
            let rest = left.checked_sub(bytes(stream));
            left = rest.unwrap_or_default();
            rest.is_some()
        });
        let from = self.streams.len() - fits.count();
        if from < self.streams.len() {
            let (told, payload) = stream_info::contents(&self.streams[from..]);
            self.block(STREAMS, told, &payload);
        }
    }

    /// Defines those of these events that nothing defines yet.
    pub fn define(&mut self, kinds: &[(EventCode, u32)]) {
        if let Some((told, payload)) = self.undefined.take(kinds) {
            self.list.add_own((SCHEMA, CRITICAL), *told, payload, &mut self.out);
        }
    }

    /// What it will take to [say that once more](Self::define_again).
    pub fn again_bytes(&self) -> u64 {
        self.undefined.used().iter().map(|(_, payload)| BlockList::own_bytes(payload)).sum()
    }

    /// Defines once more what was defined: of what stands once, one changed bit would take every record.
    pub fn define_again(&mut self) {
        for (told, payload) in self.undefined.used() {
            self.list.add_own((SCHEMA, CRITICAL), *told, payload, &mut self.out);
        }
    }

    /// A block of records has been written: says what those of its events are that are new, and where blocks are, if it is time.
    pub fn add(&mut self, block: BlockInfo) {
        let docs = self.untold.take(&block.kinds);
        self.list.add(block);
        if let Some((told, payload)) = docs_block::contents(&docs) {
            self.block(DOCS, told, &payload);
        }
        self.list.add_index(&mut self.out);
    }

    /// An event was not what it is to be.
    pub fn reject(&mut self, stream: u32, stamp: u64) {
        self.rejected.entry(stream).or_default().add(Some(stamp));
    }

    /// What is to be said of these events.
    pub fn rejected(&mut self) -> Vec<Own> {
        let rejected = std::mem::take(&mut self.rejected).into_iter();
        rejected.filter_map(|(stream, mut losing)| losing.take(stream, GapCause::Layout)).map(Own::Gap).collect()
    }

    /// The blocks that were made since this was last asked.
    pub fn written(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn block(&mut self, kind: u16, told: Told, payload: &[u8]) {
        self.list.add_own((kind, 0), told, payload, &mut self.out);
    }
}
