//! What has to hold in every recording of presents, read from its events alone.

use crate::record::Record;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    AdapterId, AdapterParts, FrameFate, HResult, HResultCode, HybridPresentMode, NtStatus, PresentFlags,
    PrimaryDriverFlags, dxgi, dxgi_ddi, machine, mark,
};
use taut_traces::Trace;

/// A copy: when, what, and through what.
#[derive(Debug, Clone, Copy)]
struct Moved {
    began_at_ns: u64,
    ended_at_ns: u64,
    bytes: u64,
    adapter: AdapterId,
}

/// What an audit found.
#[derive(Debug, Default)]
pub struct Audit {
    pub broken: Vec<String>,
    /// Frames flipped to, composed, torn and never shown.
    pub fates: [u64; 4],
    /// Decisions for no copy, two copies and one.
    pub paths: [u64; 3],
    system_bytes_per_second: u64,
    parts: BTreeMap<u64, AdapterParts>,
    decided: BTreeMap<u64, mark::HybridPresentDecision>,
    /// Presented and not ended, with the decision of then.
    on_their_way: BTreeMap<(u64, u64), mark::HybridPresentDecision>,
    ended: BTreeSet<(u64, u64)>,
    last_shown: BTreeMap<u64, mark::FrameEnded>,
    moved: Vec<Moved>,
    /// Cross-adapter resources created and opened, less those destroyed, by adapter.
    alive: BTreeMap<u64, i64>,
    /// Decisions, in order, and how often ResizeBuffers and Present1 were refused.
    pub decisions: Vec<mark::HybridPresentDecision>,
    pub resizes: [u64; 2],
    pub removed: u64,
    stopping: AdapterId,
}

impl Audit {
    /// Goes through a recording.
    pub fn of(trace: &Trace) -> Audit {
        let mut audit = Audit::default();
        let (mut present, mut adapter) = (None, AdapterId::NULL);
        for said in Record::all(trace) {
            audit.begun(&said, &mut present, &mut adapter);
            audit.hear(&said, present.as_ref(), adapter);
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

    /// Calls as they begin.
    fn begun(&mut self, said: &Record, present: &mut Option<dxgi::Present1>, adapter: &mut AdapterId) {
        if let Some(call) = said.begun::<dxgi::Present1>() {
            *present = Some(call);
        } else if let Some(call) = said.begun::<dxgi_ddi::CreateResource>() {
            *adapter = call.adapter;
        } else if let Some(call) = said.begun::<dxgi_ddi::OpenResource>() {
            *adapter = call.adapter;
        } else if let Some(call) = said.begun::<dxgi_ddi::DestroyResource>() {
            *adapter = call.adapter;
        } else if let Some(call) = said.begun::<machine::StopAdapter>() {
            self.stopping = call.adapter;
        } else if let Some(call) = said.begun::<machine::DescribeMachine>() {
            self.system_bytes_per_second = call.system_memory_bytes_per_second;
        } else if let Some(call) = said.begun::<machine::DescribeAdapter>() {
            self.parts.insert(call.adapter.0, call.parts);
        }
    }

    fn hear(&mut self, said: &Record, present: Option<&dxgi::Present1>, adapter: AdapterId) {
        if let Some(presented) = said.ended::<dxgi::Present1>() {
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
        } else if let Some(decision) = said.mark::<mark::HybridPresentDecision>() {
            self.paths[match decision.mode {
                HybridPresentMode::TWO_COPY_PATH => 1,
                HybridPresentMode::ONE_COPY_PATH_CASO => 2,
                _ => 0,
            }] += 1;
            self.decisions.push(decision.clone());
            self.decided.insert(decision.swap_chain.0, decision);
        } else if let Some(frame) = said.mark::<mark::FrameEnded>() {
            self.end(frame);
        } else if let Some(violation) = said.mark::<mark::DriverViolation>() {
            self.break_rule(format!("{violation:?}"));
        } else if let Some(made) = said.ended::<dxgi_ddi::CreateResource>() {
            let made: HResult<PrimaryDriverFlags> = made;
            *self.alive.entry(adapter.0).or_default() += i64::from(made.is_ok());
        } else if let Some(opened) = said.ended::<dxgi_ddi::OpenResource>() {
            *self.alive.entry(adapter.0).or_default() += i64::from(opened.is_ok());
        } else if said.ended::<dxgi_ddi::DestroyResource>().is_some() {
            *self.alive.entry(adapter.0).or_default() -= 1;
        } else if let Some(status) = said.ended::<machine::StopAdapter>() {
            // What the adapter had went with it.
            if status == NtStatus::SUCCESS {
                self.alive.remove(&self.stopping.0);
            }
        } else if let Some(resized) = said.ended::<dxgi::ResizeBuffers>() {
            self.resizes[usize::from(resized.is_err())] += 1;
        }
    }

    fn end(&mut self, frame: mark::FrameEnded) {
        let key = (frame.swap_chain.0, frame.present_count);
        let Some(decision) = self.on_their_way.remove(&key) else {
            return self.break_rule(format!("ended without being on its way: {frame:?}"));
        };
        self.ended.insert(key);
        self.fates[match frame.fate {
            FrameFate::FLIPPED => 0,
            FrameFate::COMPOSED => 1,
            FrameFate::TORN => 2,
            _ => 3,
        }] += 1;
        let payload = decision.payload_bytes;
        let copies = [
            (frame.copy_1_started_at_ns, frame.copy_1_ended_at_ns, decision.render_adapter),
            (frame.copy_2_started_at_ns, frame.copy_2_ended_at_ns, decision.display_adapter),
        ];
        let made = copies.iter().filter(|copy| copy.1 > 0);
        let count = made.clone().count() as u64;
        for (began_at_ns, ended_at_ns, adapter) in made {
            let moved =
                Moved { began_at_ns: *began_at_ns, ended_at_ns: *ended_at_ns, bytes: payload, adapter: *adapter };
            self.moved.push(moved);
        }
        if frame.bytes_copied != count * payload {
            self.break_rule(format!("{count} copies of {payload} bytes moved another number: {frame:?}"));
        }
        if frame.fate == FrameFate::NEVER_SHOWN {
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
        let told: Vec<u64> = in_order.into_iter().filter(|at_ns| *at_ns > 0).collect();
        if count != expected || !told.is_sorted() {
            self.break_rule(format!("shown before its time, or without its copies ({expected}): {frame:?}"));
        }
        if let Some(before) = self.last_shown.insert(key.0, frame.clone()) {
            let later = before.ended_at_ns < frame.ended_at_ns || frame.fate == FrameFate::TORN;
            if before.present_count >= frame.present_count || !later {
                self.break_rule(format!("shown out of order: {before:?}, {frame:?}"));
            }
        }
    }

    /// Between any beginning of a copy and any end, links and memory carried no more than they can.
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
