//! What a trace tells, call by call and mark by mark, in one order over all threads, as those who read it want to see it.

use crate::columns::{Events, Found, Selecting, View};
use crate::error::AnalyzeError;
use crate::source::Source;
use rayon::prelude::*;
use taut_schemas::{EventCode, EventRef, Opcode};
use taut_traces::{Joiner, ThreadExtract, Trace};

/// When and on which thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct At {
    /// Stamp, in ticks.
    pub stamp: u64,
    /// Thread.
    pub thread: u32,
}

/// Whether the trace has any of these events, or may. Reads nothing.
pub(crate) fn any(trace: &Trace, events: &[EventRef]) -> bool {
    let known = events.iter().filter_map(|event| trace.header().schema.find(*event));
    let codes: Vec<EventCode> = known.map(|event| event.code).collect();
    // A trace that was cut off has no counts.
    let counted = &trace.summary().codes;
    !codes.is_empty() && (!trace.summary().complete || counted.iter().any(|(code, _)| codes.contains(code)))
}

/// A story in the making: which events are read, and what each of them tells.
pub(crate) struct Story<'s, H> {
    source: &'s Source,
    selecting: Selecting<'s>,
    /// By the code of the record that tells.
    tellers: Vec<(EventCode, Box<dyn Tell<H>>)>,
}

impl<'s, H: Send> Story<'s, H> {
    /// One that tells nothing yet.
    pub fn new(source: &'s Source) -> Story<'s, H> {
        Story { source, selecting: Selecting::new(&source.trace().header().schema), tellers: Vec::new() }
    }

    /// Each record of the view's event tells something, by itself: a mark, a call's start, or a stop whatever its start.
    ///
    /// # Errors
    /// The trace has the event, but not a field that the view needs.
    pub fn each<V: View + 'static>(
        &mut self,
        tell: impl Fn(V) -> Option<H> + Send + Sync + 'static,
    ) -> Result<(), AnalyzeError> {
        if let Some(found) = Found::<V>::select(&mut self.selecting)? {
            self.tellers.push((found.code, Box::new(Each { found, tell })));
        }
        Ok(())
    }

    /// Each call that has returned tells something: its start, and its stop. Those whose start was lost tell nothing.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn returned<S: View + 'static, E: View<Line = S::Line> + 'static>(
        &mut self,
        tell: impl Fn(S, E) -> Option<H> + Send + Sync + 'static,
    ) -> Result<(), AnalyzeError> {
        let (start, stop) = (Found::<S>::select(&mut self.selecting)?, Found::<E>::select(&mut self.selecting)?);
        if let (Some(start), Some(stop)) = (start, stop) {
            self.tellers.push((stop.code, Box::new(Returned { start, stop, tell })));
        }
        Ok(())
    }

    /// Reads the trace: everything that is told, in order.
    ///
    /// # Errors
    /// The trace could not be read.
    pub fn read(self) -> Result<Vec<(At, H)>, AnalyzeError> {
        let trace = self.source.trace();
        let extract = trace.extract(&self.selecting.finish())?;
        self.source.met(&extract.damage);
        let outermost = Events::new(&trace.header().schema).outermost();
        let tellers = &self.tellers;
        let threads = extract.threads.par_iter().map(|thread| of_thread(thread, tellers, &outermost));
        let threads: Vec<Vec<(At, H)>> = threads.collect();
        let mut found: Vec<(At, H)> = threads.into_iter().flatten().collect();
        // Stable: a thread's own order stays.
        found.sort_by_key(|(at, _)| *at);
        Ok(found)
    }
}

fn of_thread<H>(thread: &ThreadExtract, tellers: &[(EventCode, Box<dyn Tell<H>>)], outermost: &[bool]) -> Vec<(At, H)> {
    // Codes are 16 bits wide. Of those without a teller nothing is read.
    let mut rows = vec![0_u32; 1 << 16];
    let mut by_code: Vec<Option<Telling<'_, H>>> = Vec::new();
    by_code.resize_with(rows.len(), || None);
    for (code, teller) in tellers {
        by_code[usize::from(code.0)] = Some(teller.bind(thread));
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
        if let Some(tell) = &by_code[place] {
            found.extend(tell(start, row).map(|told| (At { stamp, thread: thread.thread }, told)));
        }
    }
    found
}

/// What a record tells, by the place of its call's start and its own among the records of their events. The start is known of
/// a stop alone, and not if it was lost.
type Telling<'a, H> = Box<dyn Fn(Option<u32>, u32) -> Option<H> + 'a>;

/// What the records of one event tell.
trait Tell<H>: Send + Sync {
    /// The same of the records of a thread.
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> Telling<'a, H>;
}

struct Each<V: View, F> {
    found: Found<V>,
    tell: F,
}

impl<H, V: View, F: Fn(V) -> Option<H> + Send + Sync> Tell<H> for Each<V, F> {
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> Telling<'a, H> {
        let values = self.found.values(thread);
        Box::new(move |_, row| (self.tell)(V::read(&values, row)))
    }
}

struct Returned<S: View, E: View, F> {
    start: Found<S>,
    stop: Found<E>,
    tell: F,
}

impl<H, S: View, E: View, F: Fn(S, E) -> Option<H> + Send + Sync> Tell<H> for Returned<S, E, F> {
    fn bind<'a>(&'a self, thread: &'a ThreadExtract) -> Telling<'a, H> {
        let (starts, stops) = (self.start.values(thread), self.stop.values(thread));
        Box::new(move |start, row| (self.tell)(S::read(&starts, start?), E::read(&stops, row)))
    }
}
