//! Reads the handle events of one thread's records.

use super::reader::{Binding, Kind, Reading};
use crate::events::{BatchBlock, ThreadEvents};
use std::collections::VecDeque;
use taut_schemas::handle_rules::{HandleEvent, HandleFeed};
use taut_schemas::{D3d11ContextId, DriverHandle, EventCode, HResultCode, HandleAccess, Opcode};
use taut_traces::ThreadExtract;

/// An event of handles, a failed call, or accesses to handle memory.
#[derive(Debug)]
pub enum FeedItem<'a> {
    /// An event for the rules.
    Event {
        event: &'a HandleEvent,
        /// Stamp of the start of the event's call.
        began: u64,
    },
    /// A call of this line returned an error.
    Failed { line: u16, code: HResultCode },
    /// Handle memory was read or written.
    Accessed {
        /// Line of the call.
        line: u16,
        /// The handle that the call created; null if none.
        created_handle: DriverHandle,
        /// The accesses, in order.
        accesses: &'a [HandleAccess],
    },
}

/// An entry of the queue, which waits for earlier events of other threads.
#[derive(Debug)]
pub(super) struct Waiting {
    pub stamp: u64,
    pub context: D3d11ContextId,
    what: WaitingFor,
}

#[derive(Debug)]
enum WaitingFor {
    /// The next event of the thread's `events`, stored apart: most entries are accesses, which are small.
    Event,
    Failed(u16, HResultCode),
    /// The line, the created handle, and the number of accesses.
    Accessed(u16, DriverHandle, usize),
}

/// State of one thread.
#[derive(Debug, Default)]
pub(super) struct ThreadFeed {
    feed: HandleFeed,
    context: D3d11ContextId,
    line: u16,
    began: u64,
    created_handle: DriverHandle,
    waiting: VecDeque<Waiting>,
    /// Events of the waiting entries, in order, each with the start of its call.
    events: VecDeque<(HandleEvent, u64)>,
    /// Accesses of the waiting entries, in order, after those that have been emitted.
    accesses: Vec<HandleAccess>,
    emitted: usize,
    row: Vec<u8>,
}

impl ThreadEvents for ThreadFeed {
    type Waiting = Waiting;

    fn stamp(waiting: &Waiting) -> u64 {
        waiting.stamp
    }

    fn waiting(&mut self) -> &mut VecDeque<Waiting> {
        &mut self.waiting
    }
}

impl ThreadFeed {
    /// Processes the thread's next block.
    pub fn block(&mut self, reading: &Reading, block: &BatchBlock) {
        if block.block.lost_before > 0 || block.records.is_none() {
            // An open call may have returned in the lost records.
            (self.feed, self.line, self.created_handle) = (HandleFeed::default(), 0, DriverHandle::default());
        }
        if let Some(records) = &block.records {
            self.records(reading, records);
        }
    }

    fn records(&mut self, reading: &Reading, records: &ThreadExtract) {
        let bindings: Vec<Binding<'_>> = reading.kinds.iter().map(|kind| kind.bind(records)).collect();
        let mut rows = vec![0_u32; bindings.len()];
        for (code, stamp) in records.codes.iter().zip(&records.stamps) {
            let place = usize::from(reading.places[usize::from(code.0)]);
            let (Some(binding), Some(kind)) = (bindings.get(place), reading.kinds.get(place)) else { continue };
            let row = rows[place];
            rows[place] += 1;
            self.record(kind, binding, row, *stamp);
        }
    }

    fn record(&mut self, kind: &Kind, binding: &Binding<'_>, row: u32, stamp: u64) {
        match (kind, binding) {
            (Kind::Start { line, .. }, Binding::Rows(rows)) => {
                rows.write(row, &mut self.row);
                let first = self.row.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                (self.context, self.line, self.began) = (D3d11ContextId(first), *line, stamp);
                // Of calls without objects, such as Draw, the stop is not read.
                self.created_handle = DriverHandle::default();
                self.on_event(EventCode::new(*line, Opcode::Start), stamp);
            }
            (Kind::Callback { line, .. }, Binding::Rows(rows)) => {
                rows.write(row, &mut self.row);
                self.on_event(EventCode::new(*line, Opcode::Start), stamp);
            }
            (Kind::Stop { line, .. }, Binding::Stop(rows, results)) => {
                self.created_handle = DriverHandle::default();
                rows.write(row, &mut self.row);
                self.on_event(EventCode::new(*line, Opcode::Stop), stamp);
                let code = results.or_default(row);
                if code != HResultCode::S_OK {
                    self.wait(stamp, self.context, WaitingFor::Failed(*line, code));
                }
            }
            (Kind::Accesses { .. }, Binding::Accesses(contexts, columns)) => {
                let span = columns.span(row);
                let count = span.len();
                self.accesses.extend(span.map(|element| HandleAccess {
                    handle: DriverHandle(columns.number(0, element)),
                    offset_bytes: columns.number(1, element),
                    size_bytes: columns.number(2, element) as u32,
                    is_write: columns.number(3, element) != 0,
                }));
                let (line, created_handle) = (self.line, self.created_handle);
                self.wait(stamp, contexts.or_default(row), WaitingFor::Accessed(line, created_handle, count));
            }
            _ => {}
        }
    }

    /// Passes the row to the feed, and queues its events.
    fn on_event(&mut self, code: EventCode, stamp: u64) {
        let ThreadFeed { feed, context, began, created_handle, waiting, events, row, .. } = self;
        // The row is in this build's layout, so it can be decoded.
        let _ = feed.on_event(code, row, &mut |event| {
            match &event {
                HandleEvent::Created { handle, .. } => *created_handle = handle.driver_handle,
                HandleEvent::ListRecreated(list) => *created_handle = *list,
                _ => {}
            }
            events.push_back((event, *began));
            waiting.push_back(Waiting { stamp, context: *context, what: WaitingFor::Event });
        });
    }

    fn wait(&mut self, stamp: u64, context: D3d11ContextId, what: WaitingFor) {
        self.waiting.push_back(Waiting { stamp, context, what });
    }

    /// Calls `show` with an entry that was taken from the queue. `None` if it is an event that does not exist.
    pub fn show<T>(&mut self, waiting: &Waiting, show: impl FnOnce(FeedItem<'_>) -> T) -> Option<T> {
        Some(match &waiting.what {
            WaitingFor::Event => {
                let (event, began) = self.events.pop_front()?;
                show(FeedItem::Event { event: &event, began })
            }
            WaitingFor::Failed(line, code) => show(FeedItem::Failed { line: *line, code: *code }),
            WaitingFor::Accessed(line, created_handle, count) => {
                let first = self.emitted;
                self.emitted += count;
                let accesses = self.accesses.get(first..self.emitted).unwrap_or_default();
                show(FeedItem::Accessed { line: *line, created_handle: *created_handle, accesses })
            }
        })
    }

    /// Drops the accesses that have been emitted.
    pub fn forget(&mut self) {
        self.accesses.drain(..self.emitted.min(self.accesses.len()));
        self.emitted = 0;
    }
}
