//! What one thread's records say of handles.

use super::reader::{Binding, Kind, Reading};
use crate::columns::BatchBlock;
use std::collections::VecDeque;
use taut_schemas::handle_rules::{HandleEvent, HandleFeed};
use taut_schemas::{D3d11ContextId, DriverHandle, EventCode, HResultCode, HandleAccess, Opcode};
use taut_traces::ThreadExtract;

/// One thing that was said.
#[derive(Debug)]
pub enum Said<'a> {
    /// What the rules listen to, but for accesses.
    Event {
        /// It.
        event: &'a HandleEvent,
        /// When the call began in which it was said.
        began: u64,
    },
    /// A function of this line answered an error.
    Failed {
        /// The line.
        line: u16,
        /// The error.
        code: HResultCode,
    },
    /// The memory behind handles was read or written.
    Accessed {
        /// In a call of this line.
        line: u16,
        /// The handle that the call made; null if it made none.
        made: DriverHandle,
        /// How, in order.
        accesses: &'a [HandleAccess],
    },
}

/// The same, waiting for what other threads said before.
#[derive(Debug)]
pub(super) struct Waiting {
    pub stamp: u64,
    pub context: D3d11ContextId,
    what: WaitingFor,
}

#[derive(Debug)]
enum WaitingFor {
    /// The next of the thread's events, which stand apart: most of what waits is accesses, which are small.
    Event,
    Failed(u16, HResultCode),
    /// The line, the handle made, and how many of the accesses.
    Accessed(u16, DriverHandle, usize),
}

/// One thread's.
#[derive(Debug, Default)]
pub(super) struct ThreadFeed {
    feed: HandleFeed,
    context: D3d11ContextId,
    line: u16,
    began: u64,
    made: DriverHandle,
    pub waiting: VecDeque<Waiting>,
    /// The events of everything that waits, in order, each with when its call began.
    events: VecDeque<(HandleEvent, u64)>,
    /// Those of everything that waits, in order, behind those that have been given.
    accesses: Vec<HandleAccess>,
    given: usize,
    row: Vec<u8>,
}

impl ThreadFeed {
    /// Takes the thread's next block.
    pub fn block(&mut self, reading: &Reading, block: &BatchBlock) {
        if block.block.lost_before > 0 || block.records.is_none() {
            (self.feed, self.line, self.made) = (HandleFeed::default(), 0, DriverHandle::default());
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
                self.hear(EventCode::new(*line, Opcode::Start), stamp);
            }
            (Kind::Callback { line, .. }, Binding::Rows(rows)) => {
                rows.write(row, &mut self.row);
                self.hear(EventCode::new(*line, Opcode::Start), stamp);
            }
            (Kind::Stop { line, .. }, Binding::Stop(rows, results)) => {
                self.made = DriverHandle::default();
                rows.write(row, &mut self.row);
                self.hear(EventCode::new(*line, Opcode::Stop), stamp);
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
                let (line, made) = (self.line, self.made);
                self.wait(stamp, contexts.or_default(row), WaitingFor::Accessed(line, made, count));
            }
            _ => {}
        }
    }

    /// Has the feed hear the row, and keeps what it says.
    fn hear(&mut self, code: EventCode, stamp: u64) {
        let ThreadFeed { feed, context, began, made, waiting, events, row, .. } = self;
        // The row is one of this build's, whatever the trace's table lacks.
        let _ = feed.hear(code, row, &mut |event| {
            match &event {
                HandleEvent::Created { handle, .. } => *made = handle.driver_handle,
                HandleEvent::ListRecreated(list) => *made = *list,
                _ => {}
            }
            events.push_back((event, *began));
            waiting.push_back(Waiting { stamp, context: *context, what: WaitingFor::Event });
        });
    }

    fn wait(&mut self, stamp: u64, context: D3d11ContextId, what: WaitingFor) {
        self.waiting.push_back(Waiting { stamp, context, what });
    }

    /// Shows what waited longest, which was taken out of the queue. None if that is an event that is not there.
    pub fn show<T>(&mut self, waiting: &Waiting, show: impl FnOnce(Said<'_>) -> T) -> Option<T> {
        Some(match &waiting.what {
            WaitingFor::Event => {
                let (event, began) = self.events.pop_front()?;
                show(Said::Event { event: &event, began })
            }
            WaitingFor::Failed(line, code) => show(Said::Failed { line: *line, code: *code }),
            WaitingFor::Accessed(line, made, count) => {
                let first = self.given;
                self.given += count;
                let accesses = self.accesses.get(first..self.given).unwrap_or_default();
                show(Said::Accessed { line: *line, made: *made, accesses })
            }
        })
    }

    /// Lets go of the accesses that have been given.
    pub fn forget(&mut self) {
        self.accesses.drain(..self.given.min(self.accesses.len()));
        self.given = 0;
    }
}
