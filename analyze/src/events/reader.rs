//! Reads events of a trace, calls joined with their returns and marks, in one order over all threads, as values of the
//! reader's own type.

use crate::error::AnalyzeError;
use crate::events::read_record::{ReadRecord, RecordReader};
use crate::events::windows_record::{WindowsRecords, lines};
use crate::events::{At, Batches, Events, Found, MergedThreads, Selecting, Source, ThreadEvents, Tracker, View};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use taut_schemas::windows::WindowsEvent;
use taut_schemas::{EventCode, EventRef, Opcode};
use taut_traces::{Joiner, ThreadExtract, Trace};

/// True if the trace has, or may have, any of these events. Reads no records.
pub(crate) fn any(trace: &Trace, events: &[EventRef]) -> bool {
    let known = events.iter().filter_map(|event| trace.header().schema.find(*event));
    any_codes(trace, &known.map(|event| event.code).collect::<Vec<_>>())
}

/// As [`any`], for events by their codes.
pub(crate) fn any_codes(trace: &Trace, codes: &[EventCode]) -> bool {
    // A trace that was cut off has no counts.
    let counted = &trace.summary().codes;
    !codes.is_empty() && (!trace.summary().complete || counted.iter().any(|(code, _)| codes.contains(code)))
}

/// Reads events: the selected ones, and a function that converts each to a value.
pub(crate) struct EventReader<'s, T> {
    source: &'s Source,
    selecting: Selecting<'s>,
    /// Readers by the code of the record that they convert.
    readers: Vec<(EventCode, Box<dyn ReadRecord<T>>)>,
    /// True if calls are joined.
    joins: bool,
}

/// The events of one thread that have not been visited, with their stamps.
struct Queued<T>(VecDeque<(u64, T)>);

impl<T> Default for Queued<T> {
    fn default() -> Queued<T> {
        Queued(VecDeque::new())
    }
}

impl<T: Send> ThreadEvents for Queued<T> {
    type Waiting = (u64, T);

    fn stamp(waiting: &(u64, T)) -> u64 {
        waiting.0
    }

    fn waiting(&mut self) -> &mut VecDeque<(u64, T)> {
        &mut self.0
    }
}

impl<'s, T: Send> EventReader<'s, T> {
    /// Creates a reader without events.
    pub fn new(source: &'s Source) -> EventReader<'s, T> {
        let selecting = Selecting::new(&source.trace().header().schema);
        EventReader { source, selecting, readers: Vec::new(), joins: false }
    }

    /// Registers `read` for each record of the view's event: a mark, a call's start, or a stop whatever its start.
    /// Records for which it returns `None` are left out.
    ///
    /// # Errors
    /// The trace has the event, but lacks a required field of the view.
    pub fn each<V: View + 'static>(
        &mut self,
        read: impl Fn(V) -> Option<T> + Send + Sync + 'static,
    ) -> Result<(), AnalyzeError> {
        if let Some(found) = Found::<V>::select(&mut self.selecting)? {
            self.readers.push((found.code, Box::new(Each { found, read })));
        }
        Ok(())
    }

    /// Registers `read` for each record of an event of Windows, whatever its version. Records for which it returns
    /// `None` are left out.
    pub fn windows<E: WindowsEvent + 'static>(
        &mut self,
        read: impl Fn(E) -> Option<T> + Send + Sync + Clone + 'static,
    ) {
        for line in lines::<E>(self.selecting.schema()) {
            self.selecting.named(line, E::FIELDS);
            let records = WindowsRecords { code: line.code, read: read.clone(), event: PhantomData };
            self.readers.push((line.code, Box::new(records)));
        }
    }

    /// Registers `read` for each call that has returned, with its start and its stop. Calls whose start was lost are
    /// left out, as are those for which it returns `None`.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn returned<S: View + 'static, E: View<Line = S::Line> + 'static>(
        &mut self,
        read: impl Fn(S, E) -> Option<T> + Send + Sync + 'static,
    ) -> Result<(), AnalyzeError> {
        let (start, stop) = (Found::<S>::select(&mut self.selecting)?, Found::<E>::select(&mut self.selecting)?);
        self.joins = true;
        if let (Some(start), Some(stop)) = (start, stop) {
            self.readers.push((stop.code, Box::new(Returned { start, stop, read })));
        }
        Ok(())
    }

    /// Passes all values to a tracker, in order, and returns its result. Memory does not grow with the trace, unless
    /// calls are joined.
    ///
    /// # Errors
    /// The trace could not be read.
    pub fn track<K: for<'e> Tracker<Event<'e> = T> + Send>(self, mut tracker: K) -> Result<K::Output, AnalyzeError> {
        if self.joins {
            self.read()?.into_iter().for_each(|(at, event)| tracker.on_event(at, event));
        } else {
            self.visit(|at, event| -> Result<_, AnalyzeError> {
                tracker.on_event(at, event);
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(tracker.finish())
    }

    /// Reads the trace; returns all values in order.
    ///
    /// # Errors
    /// The trace could not be read.
    pub fn read(self) -> Result<Vec<(At, T)>, AnalyzeError> {
        let trace = self.source.trace();
        let extract = trace.extract(&self.selecting.finish())?;
        self.source.met(&extract.damage);
        let outermost = Events::new(&trace.header().schema).outermost();
        let readers = &self.readers;
        let threads = extract.threads.par_iter().map(|thread| of_thread(thread, readers, &outermost));
        let threads: Vec<Vec<(At, T)>> = threads.collect();
        let mut found: Vec<(At, T)> = threads.into_iter().flatten().collect();
        // A stable sort keeps each thread's own order.
        found.sort_by_key(|(at, _)| *at);
        Ok(found)
    }

    /// Calls `visit` with the values of [`each`](Self::each), in order, until it breaks. Only a few blocks are in
    /// memory at a time, so values of joined calls are not included.
    ///
    /// # Errors
    /// The trace could not be read, or `visit` failed.
    pub fn visit<E: From<AnalyzeError> + Send>(
        self,
        mut visit: impl FnMut(At, T) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<(), E> {
        let EventReader { source, selecting, readers, .. } = self;
        let batches = Batches::new(source.trace());
        let mut threads: MergedThreads<'_, Queued<T>> = MergedThreads::new(&batches);
        let damage = batches.each(&selecting.finish(), |batch| {
            threads.decode(batch.parts, |thread, part| {
                thread.0.extend(part.records.iter().flat_map(|records| of_block(records, &readers)));
            });
            threads.emit(&batch.next_stamps, |at, _, (_, value)| visit(at, value))
        })?;
        source.met(&damage);
        Ok(())
    }
}

fn of_block<T>(records: &ThreadExtract, readers: &[(EventCode, Box<dyn ReadRecord<T>>)]) -> Vec<(u64, T)> {
    let mut bound: Vec<_> = readers.iter().map(|(code, reader)| (*code, 0_u32, reader.bind(records))).collect();
    let mut found = Vec::new();
    for (code, stamp) in records.codes.iter().zip(&records.stamps) {
        // A linear search, because readers are few.
        let Some((_, row, read)) = bound.iter_mut().find(|(known, _, _)| known == code) else { continue };
        found.extend(read(None, *row).map(|value| (*stamp, value)));
        *row += 1;
    }
    found
}

fn of_thread<T>(
    thread: &ThreadExtract,
    readers: &[(EventCode, Box<dyn ReadRecord<T>>)],
    outermost: &[bool],
) -> Vec<(At, T)> {
    // Codes are 16 bits wide. Records of codes without a reader are skipped.
    let mut rows = vec![0_u32; 1 << 16];
    let mut by_code: Vec<Option<RecordReader<'_, T>>> = Vec::new();
    by_code.resize_with(rows.len(), || None);
    for (code, reader) in readers {
        by_code[usize::from(code.0)] = Some(reader.bind(thread));
    }
    let (mut open, mut found) = (Joiner::default(), Vec::new());
    for (code, stamp) in thread.codes.iter().copied().zip(thread.stamps.iter().copied()) {
        let place = usize::from(code.0);
        let row = rows[place];
        rows[place] += 1;
        let mut start = None;
        match code.opcode() {
            Some(Opcode::Start) => open.start(code, outermost[place], row, drop),
            Some(Opcode::Stop) => start = open.stop(code, drop),
            _ => {}
        }
        if let Some(read) = &by_code[place] {
            found.extend(read(start, row).map(|event| (At { stamp, thread: thread.thread }, event)));
        }
    }
    found
}

struct Each<V: View, F> {
    found: Found<V>,
    read: F,
}

impl<T, V: View, F: Fn(V) -> Option<T> + Send + Sync> ReadRecord<T> for Each<V, F> {
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> RecordReader<'a, T> {
        let values = self.found.values(thread);
        Box::new(move |_, row| (self.read)(V::read(&values, row)))
    }
}

struct Returned<S: View, E: View, F> {
    start: Found<S>,
    stop: Found<E>,
    read: F,
}

impl<T, S: View, E: View, F: Fn(S, E) -> Option<T> + Send + Sync> ReadRecord<T> for Returned<S, E, F> {
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> RecordReader<'a, T> {
        let (starts, stops) = (self.start.values(thread), self.stop.values(thread));
        Box::new(move |start, row| (self.read)(S::read(&starts, start?), E::read(&stops, row)))
    }
}
