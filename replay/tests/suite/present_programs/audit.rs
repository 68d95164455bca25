//! Rules that hold in every recording of presents, checked from its events alone.

use crate::recording::record::Record;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    AdapterId, AdapterParts, FrameOutcome, HResult, HResultCode, HybridPresentMode, NtStatus, PresentFlags,
    PrimaryDriverFlags, dxgi, dxgi_ddi, machine, mark,
};
use taut_traces::Trace;

/// Copy of a frame: time, content and link.
#[derive(Debug, Clone, Copy)]
struct Moved {
    began_at_ns: u64,
    ended_at_ns: u64,
    bytes: u64,
    adapter: AdapterId,
}

/// Results of an audit.
#[derive(Debug, Default)]
pub struct Audit {
    pub broken: Vec<String>,
    /// Number of frames flipped, composed, torn and never shown.
    pub fates: [u64; 4],
    /// Number of decisions for no copy, two copies and one.
    pub paths: [u64; 3],
    system_bytes_per_second: u64,
    parts: BTreeMap<u64, AdapterParts>,
    decided: BTreeMap<u64, mark::HybridPresentDecision>,
    /// Frames presented and not ended, with the decision at the time of the present.
    on_their_way: BTreeMap<(u64, u64), mark::HybridPresentDecision>,
    ended: BTreeSet<(u64, u64)>,
    last_shown: BTreeMap<u64, mark::FrameEnded>,
    moved: Vec<Moved>,
    /// Live cross-adapter resources by adapter: created and opened minus destroyed.
    alive: BTreeMap<u64, i64>,
    /// Decisions in order; the failures of ResizeBuffers and Present1 are counted next.
    pub decisions: Vec<mark::HybridPresentDecision>,
    pub resizes: [u64; 2],
    pub removed: u64,
    stopping: AdapterId,
}

impl Audit {
    /// Audits a recording.
    pub fn of(trace: &Trace) -> Audit {
        let mut audit = Audit::default();
        let (mut present, mut adapter) = (None, AdapterId::NULL);
        for record in Record::all(trace) {
            audit.begun(&record, &mut present, &mut adapter);
            audit.on_event(&record, present.as_ref(), adapter);
        }
        if !audit.on_their_way.is_empty() {
            audit.break_rule(format!("frames that never ended: {:?}", audit.on_their_way.keys()));
        }
        if audit.alive.values().any(|alive| *alive != 0) {
            audit.break_rule(format!("cross-adapter resources that stay: {:?}", audit.alive));
        }
        audit.rates();
        audit
    }

    fn break_rule(&mut self, text: String) {
        self.broken.push(text);
    }

    /// Handles the start of a call.
    fn begun(&mut self, record: &Record, present: &mut Option<dxgi::Present1>, adapter: &mut AdapterId) {
        if let Some(call) = record.begun::<dxgi::Present1>() {
            *present = Some(call);
        } else if let Some(call) = record.begun::<dxgi_ddi::CreateResource>() {
            *adapter = call.adapter;
        } else if let Some(call) = record.begun::<dxgi_ddi::OpenResource>() {
            *adapter = call.adapter;
        } else if let Some(call) = record.begun::<dxgi_ddi::DestroyResource>() {
            *adapter = call.adapter;
        } else if let Some(call) = record.begun::<machine::StopAdapter>() {
            self.stopping = call.adapter;
        } else if let Some(call) = record.begun::<machine::DescribeMachine>() {
            self.system_bytes_per_second = call.system_memory_bytes_per_second;
        } else if let Some(call) = record.begun::<machine::DescribeAdapter>() {
            self.parts.insert(call.adapter.0, call.parts);
        }
    }

    fn on_event(&mut self, record: &Record, present: Option<&dxgi::Present1>, adapter: AdapterId) {
        if let Some(presented) = record.ended::<dxgi::Present1>() {
            let Ok(number) = presented else {
                self.removed += u64::from(presented == Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
                return;
            };
            let Some(call) = present.filter(|call| !call.flags.contains(PresentFlags::TEST)) else { return };
            let key = (call.swap_chain.0, number);
            let decision = self.decided.get(&key.0).cloned().expect("a decision before a present");
            if self.on_their_way.insert(key, decision).is_some() || self.ended.contains(&key) {
                self.break_rule(format!("presented twice: {key:?}"));
            }
        } else if let Some(decision) = record.mark::<mark::HybridPresentDecision>() {
            self.paths[match decision.mode {
                HybridPresentMode::TWO_COPY_PATH => 1,
                HybridPresentMode::ONE_COPY_PATH_CASO => 2,
                _ => 0,
            }] += 1;
            self.decisions.push(decision.clone());
            self.decided.insert(decision.swap_chain.0, decision);
        } else if let Some(frame) = record.mark::<mark::FrameEnded>() {
            self.end(frame);
        } else if let Some(violation) = record.mark::<mark::DriverViolation>() {
            self.break_rule(format!("{violation:?}"));
        } else if let Some(created) = record.ended::<dxgi_ddi::CreateResource>() {
            let created: HResult<PrimaryDriverFlags> = created;
            *self.alive.entry(adapter.0).or_default() += i64::from(created.is_ok());
        } else if let Some(opened) = record.ended::<dxgi_ddi::OpenResource>() {
            *self.alive.entry(adapter.0).or_default() += i64::from(opened.is_ok());
        } else if record.ended::<dxgi_ddi::DestroyResource>().is_some() {
            *self.alive.entry(adapter.0).or_default() -= 1;
        } else if let Some(status) = record.ended::<machine::StopAdapter>() {
            // The resources of a stopped adapter are gone.
            if status == NtStatus::SUCCESS {
                self.alive.remove(&self.stopping.0);
            }
        } else if let Some(resized) = record.ended::<dxgi::ResizeBuffers>() {
            self.resizes[usize::from(resized.is_err())] += 1;
        }
    }

    fn end(&mut self, frame: mark::FrameEnded) {
        let key = (frame.swap_chain.0, frame.present_count);
        let Some(decision) = self.on_their_way.remove(&key) else {
            return self.break_rule(format!("ended without being on its way: {frame:?}"));
        };
        self.ended.insert(key);
        self.fates[match frame.outcome {
            FrameOutcome::FLIPPED => 0,
            FrameOutcome::COMPOSED => 1,
            FrameOutcome::TORN => 2,
            _ => 3,
        }] += 1;
        let payload = decision.payload_bytes;
        let copies = [
            (frame.copy_1_started_at_ns, frame.copy_1_ended_at_ns, decision.render_adapter),
            (frame.copy_2_started_at_ns, frame.copy_2_ended_at_ns, decision.display_adapter),
        ];
        let created = copies.iter().filter(|copy| copy.1 > 0);
        let count = created.clone().count() as u64;
        for (began_at_ns, ended_at_ns, adapter) in created {
            let moved =
                Moved { began_at_ns: *began_at_ns, ended_at_ns: *ended_at_ns, bytes: payload, adapter: *adapter };
            self.moved.push(moved);
        }
        if frame.bytes_copied != count * payload {
            self.break_rule(format!("{count} copies of {payload} bytes moved another number: {frame:?}"));
        }
        if frame.outcome == FrameOutcome::NEVER_SHOWN {
            return;
        }
        let expected = match decision.mode {
            HybridPresentMode::TWO_COPY_PATH => 2,
            HybridPresentMode::ONE_COPY_PATH_CASO => 1,
            _ => 0,
        };
        let in_order = [
            frame.presented_at_ns,
            frame.rendered_at_ns,
            frame.copy_1_started_at_ns,
            frame.copy_1_ended_at_ns,
            frame.copy_2_started_at_ns,
            frame.copy_2_ended_at_ns,
            frame.ready_at_ns,
            frame.composition_started_at_ns,
            frame.composition_ended_at_ns,
            frame.ended_at_ns,
        ];
        let shown_times: Vec<u64> = in_order.into_iter().filter(|at_ns| *at_ns > 0).collect();
        if count != expected || !shown_times.is_sorted() {
            self.break_rule(format!("shown before its time, or without its copies ({expected}): {frame:?}"));
        }
        if let Some(before) = self.last_shown.insert(key.0, frame.clone()) {
            let later = before.ended_at_ns < frame.ended_at_ns || frame.outcome == FrameOutcome::TORN;
            if before.present_count >= frame.present_count || !later {
                self.break_rule(format!("shown out of order: {before:?}, {frame:?}"));
            }
        }
    }

    /// Checks that between any start and any end of copies, links and memory carried no more than their rates allow.
    fn rates(&mut self) {
        for (adapter, parts) in self.parts.clone() {
            let own: Vec<Moved> = self.moved.iter().filter(|copy| copy.adapter.0 == adapter).copied().collect();
            let engine = own.iter().map(|copy| (*copy, copy.bytes));
            self.carried(engine.collect(), parts.copy_bytes_per_second, "copy engine");
            if !parts.uses_system_memory {
                let through: Vec<(Moved, u64)> = own.iter().map(|copy| (*copy, copy.bytes)).collect();
                self.carried(through.clone(), parts.link_bytes_per_second, "link");
                self.carried(through, parts.memory_bytes_per_second, "own memory");
            }
        }
        let weight = |copy: &Moved| if self.parts[&copy.adapter.0].uses_system_memory { 2 } else { 1 };
        let through = self.moved.iter().map(|copy| (*copy, weight(copy) * copy.bytes)).collect();
        self.carried(through, self.system_bytes_per_second, "system's memory");
    }

    fn carried(&mut self, copies: Vec<(Moved, u64)>, bytes_per_second: u64, what: &str) {
        for (first, _) in &copies {
            let within = copies.iter().filter(|(copy, _)| copy.began_at_ns >= first.began_at_ns);
            let mut within: Vec<_> = within.collect();
            within.sort_by_key(|(copy, _)| copy.ended_at_ns);
            let mut bytes = 0_u128;
            for (copy, weighed) in within {
                bytes += u128::from(*weighed);
                let time_ns = u128::from(copy.ended_at_ns - first.began_at_ns);
                if bytes * 1_000_000_000 > u128::from(bytes_per_second) * time_ns {
                    return self.break_rule(format!(
                        "{what}: {bytes} bytes in {time_ns} ns, more than {bytes_per_second} bytes/s: {first:?} to {copy:?}"
                    ));
                }
            }
        }
    }
}
