//! Player of a log's lines: each is one API call or one phase mark.

use super::bind::{LiveBuffers, bind};
use super::create::create_resource;
use super::difference::LoggedCall;
use super::line::{AllocationQuery, FeatureQuery, FootprintQuery, HeapCreation, LogCall, LogLine, ResourceCreation};
use super::line_source::Numbering;
use super::name::CallName;
use super::plan::Plan;
use super::query::query_allocation_info;
use super::summary::RunSummary;
use super::use_line::BufferUseLine;
use std::collections::HashMap;
use taut_capture::Caller;
use taut_schemas::{
    AllocationInfo, Bytes, DeviceId, EventHandle, HResult, HResultCode, HeapId, ObjectId, PhaseEdge, ResourceId, d3d12,
    mark,
};

/// Phase number of the mark for EndCapture, which belongs to no test.
pub const CAPTURE_PHASE: u32 = u32::MAX;
/// Phase number of the state at the beginning of a capture of some frames.
pub const STATE_PHASE: u32 = 0;

/// State that passes between the application's threads with each turn.
pub(super) struct LogPlayer<'a> {
    plan: &'a Plan,
    pub(super) device: DeviceId,
    /// Live object by the log's id; null if there is none.
    objects: Vec<ObjectId>,
    /// Live buffer address by the log's id.
    addresses: HashMap<ResourceId, u64>,
    /// Live event by the program's handle.
    pub(super) events: HashMap<u64, EventHandle>,
    /// Line that readers will assign to the next call or phase mark.
    position: Option<u64>,
    /// Stamp of the last event.
    pub last_stamp: u64,
    pub summary: RunSummary,
}

impl<'a> LogPlayer<'a> {
    /// Creates a player positioned before line 0; objects are created on `device`.
    pub(super) fn new(plan: &'a Plan, device: DeviceId, numbering: Numbering) -> LogPlayer<'a> {
        let summary = RunSummary { changes: plan.changes().clone(), numbering, ..RunSummary::default() };
        // Ids start at 1 without gaps; the null handle maps to itself.
        let (objects, addresses, events) = (vec![ObjectId::NULL], HashMap::new(), HashMap::new());
        LogPlayer { plan, device, objects, addresses, events, position: None, last_stamp: 0, summary }
    }

    /// Marks the log's position, unless readers will assign the next call or phase to line `seq` anyway.
    pub(super) fn announce<C: Caller>(&mut self, caller: &mut C, seq: u64) {
        if self.position != Some(seq) {
            caller.mark(mark::LogPosition { seq });
            self.position = Some(seq);
        }
    }

    /// Plays one line.
    pub(super) fn play<C: Caller>(&mut self, caller: &mut C, line: &LogLine) {
        self.summary.lines += 1;
        match &line.call {
            LogCall::BeginTest { name } => self.phase(caller, line, line.test, PhaseEdge::BEGIN, name),
            LogCall::EndTest { result } => self.phase(caller, line, line.test, PhaseEdge::END, result.as_str()),
            LogCall::EndCapture { .. } => self.phase(caller, line, CAPTURE_PHASE, PhaseEdge::END, "EndCapture"),
            LogCall::CheckFeatureSupport(query) => self.check_feature_support(caller, line, query),
            LogCall::GetResourceAllocationInfo(query) => self.get_allocation_info(caller, line, query),
            LogCall::CreateHeap(creation) => self.create_heap(caller, line, creation),
            LogCall::CreateResource(creation) => self.create_resource(caller, line, creation),
            LogCall::Map { resource, subresource, read_range, hr } => {
                let Some(resource) = self.resource(*resource) else { return self.skip() };
                let call = d3d12::Map { resource, subresource: *subresource, read_range: *read_range };
                let output = self.call(caller, line, |caller| caller.call(call));
                self.judge(caller, line, *hr, &output);
            }
            LogCall::Unmap { resource, subresource, written_range } => {
                let Some(resource) = self.resource(*resource) else { return self.skip() };
                let call = d3d12::Unmap { resource, subresource: *subresource, written_range: *written_range };
                let output = self.call(caller, line, |caller| caller.call(call));
                self.judge(caller, line, HResultCode::S_OK, &output);
            }
            LogCall::ReleaseResource { resource } => {
                let Some(resource) = self.resource(*resource) else { return self.skip() };
                let output = self.call(caller, line, |caller| caller.call(d3d12::ReleaseResource { resource }));
                self.judge(caller, line, HResultCode::S_OK, &output);
            }
            LogCall::SetName { object, name } => {
                let Some(object) = self.object(object.0) else { return self.skip() };
                let name = name.clone();
                let output = self.call(caller, line, |caller| caller.call(d3d12::SetName { object, name }));
                self.judge(caller, line, HResultCode::S_OK, &output);
            }
            LogCall::Frame { frame_index } => {
                self.announce(caller, line.seq);
                caller.mark(mark::Frame { frame_index: *frame_index });
                // A frame is neither call nor phase, so readers did not advance past this line.
                self.position = None;
                self.summary.frames += 1;
            }
            LogCall::GetCopyableFootprints(query) => self.get_copyable_footprints(caller, line, query),
            LogCall::UseBuffers(_, used) => self.use_buffers(caller, line, used),
            LogCall::Submission(submission) => self.submit(caller, line, submission),
            LogCall::StateBlock { edge, frame_number } => {
                let name = format!("state before frame {frame_number}");
                self.phase(caller, line, STATE_PHASE, *edge, &name);
            }
            LogCall::ReleaseHeap { heap } => {
                let Some(heap) = self.heap(*heap) else { return self.skip() };
                let output = self.call(caller, line, |caller| caller.call(d3d12::ReleaseHeap { heap }));
                self.judge(caller, line, HResultCode::S_OK, &output);
            }
        }
    }

    fn phase<C: Caller>(&mut self, caller: &mut C, line: &LogLine, phase_index: u32, edge: PhaseEdge, name: &str) {
        self.announce(caller, line.seq);
        caller.mark(mark::WorkloadPhase { phase_index, edge, name: name.to_owned() });
        self.position = Some(line.seq + 1);
        self.summary.phases += 1;
    }

    /// Makes the single call of a line.
    fn call<C: Caller, R>(&mut self, caller: &mut C, line: &LogLine, make: impl FnOnce(&mut C) -> R) -> R {
        self.announce(caller, line.seq);
        let output = make(caller);
        self.position = Some(line.seq + 1);
        self.summary.calls += 1;
        output
    }

    /// Makes the single call of a line, with access to the player.
    pub(super) fn call_line<C: Caller, R>(
        &mut self,
        caller: &mut C,
        line: &LogLine,
        make: impl FnOnce(&Self, &mut C) -> R,
    ) -> R {
        self.announce(caller, line.seq);
        let output = make(self, caller);
        self.position = Some(line.seq + 1);
        self.summary.calls += 1;
        output
    }

    /// Makes the position of the next line explicit, after a call that the log does not have.
    pub(super) fn forget_position(&mut self) {
        self.position = None;
    }

    /// Adds the live object of the log's next id, if the line has one.
    pub(super) fn add_object(&mut self, object: Option<ObjectId>) {
        self.objects.extend(object);
    }

    /// Counts a line that makes no call.
    pub(super) fn skip(&mut self) {
        self.summary.lines_without_call += 1;
    }

    /// Counts the call if its success differs from the log.
    pub(super) fn judge<C: Caller, T>(&mut self, caller: &C, line: &LogLine, logged: HResultCode, output: &HResult<T>) {
        let call = self.logged_call(line);
        match output {
            Err(hr) if is_success(logged) => {
                self.summary.add_failure(line.seq, call.name, *hr);
                self.summary.differences.add_refused(call, logged, *hr, caller.first_error());
            }
            Ok(_) if !is_success(logged) => {
                self.summary.unexpected_successes += 1;
                self.summary.differences.add_accepted(call, logged);
            }
            _ => {}
        }
    }

    fn logged_call(&self, line: &LogLine) -> LoggedCall {
        LoggedCall { name: line.call.as_str(), number: self.summary.number(line.seq) }
    }

    fn check_feature_support<C: Caller>(&mut self, caller: &mut C, line: &LogLine, query: &FeatureQuery) {
        let (device, feature, data) = (self.device, query.feature, Bytes(query.data_in.clone()));
        let call = d3d12::CheckFeatureSupport { device, feature, data };
        let output = self.call(caller, line, |caller| caller.call(call));
        self.judge(caller, line, query.hr, &output);
    }

    fn get_allocation_info<C: Caller>(&mut self, caller: &mut C, line: &LogLine, query: &AllocationQuery) {
        let (device, plan) = (self.device, self.plan);
        let answer = self.call(caller, line, |caller| query_allocation_info(caller, device, plan, query));
        let logged = &query.answer;
        let total = |size_bytes, alignment_bytes| AllocationInfo { size_bytes, alignment_bytes };
        let is_equal = answer == *logged;
        let logged = total(logged.size_bytes, logged.alignment_bytes);
        let live = total(answer.size_bytes, answer.alignment_bytes);
        self.summary.answers.add(line.seq, logged, live, is_equal);
        if !is_equal {
            let call = self.logged_call(line);
            let queried = query.descs.first().map(|desc| plan.desc(desc));
            self.summary.differences.add_answer(call, queried, logged, live, caller.first_error());
        }
    }

    fn get_copyable_footprints<C: Caller>(&mut self, caller: &mut C, line: &LogLine, query: &FootprintQuery) {
        let FootprintQuery { first_subresource, num_subresources, base_offset_bytes, total_bytes, .. } = *query;
        let (device, desc) = (self.device, self.plan.desc(&query.desc));
        let call =
            d3d12::GetCopyableFootprints { device, desc, first_subresource, num_subresources, base_offset_bytes };
        let answer = self.call(caller, line, |caller| caller.call(call));
        let Some(total_bytes) = total_bytes else { return };
        let total = |size_bytes| AllocationInfo { size_bytes, alignment_bytes: 0 };
        let equal = answer.total_bytes == total_bytes;
        self.summary.footprints.add(line.seq, total(total_bytes), total(answer.total_bytes), equal);
    }

    /// Makes a call that uses buffers. The program knew their addresses; here each address is queried once.
    fn use_buffers<C: Caller>(&mut self, caller: &mut C, line: &LogLine, used: &BufferUseLine) {
        let resources = used.resources().into_iter().map(|(_, resource)| resource);
        let buffers: Vec<ResourceId> = used.ranges().into_iter().map(|(_, range)| range.place.buffer).collect();
        if resources.chain(buffers.iter().copied()).any(|logged| self.resource(logged).is_none()) {
            return self.skip();
        }
        for logged in buffers {
            let Some(resource) = self.resource(logged) else { continue };
            if !self.addresses.contains_key(&logged) {
                self.announce(caller, line.seq);
                let address = caller.call(d3d12::GetGPUVirtualAddress { resource }).unwrap_or_default();
                self.addresses.insert(logged, address.0);
                self.summary.addresses_queried += 1;
                self.position = None;
            }
        }
        let device = self.device;
        self.announce(caller, line.seq);
        let output = bind(caller, device, self, used);
        self.position = Some(line.seq + 1);
        self.summary.calls += 1;
        self.judge(caller, line, HResultCode::S_OK, &output);
    }

    fn create_heap<C: Caller>(&mut self, caller: &mut C, line: &LogLine, creation: &HeapCreation) {
        if has_null_output(creation.hr, creation.heap.is_some()) {
            return self.skip();
        }
        let (device, protected_session) = (self.device, creation.protected_session);
        let desc = self.plan.heap(creation.heap, &creation.desc);
        let output = self.call(caller, line, |caller| match creation.name {
            CallName::CreateHeap => caller.call(d3d12::CreateHeap { device, desc }),
            _ => caller.call(d3d12::CreateHeap1 { device, desc, protected_session }),
        });
        self.judge(caller, line, creation.hr, &output);
        match (creation.heap, output) {
            (Some(_), output) => self.objects.push(output.unwrap_or_default().into()),
            (None, Ok(heap)) => self.undo(|| caller.call(d3d12::ReleaseHeap { heap })),
            (None, Err(_)) => {}
        }
    }

    fn create_resource<C: Caller>(&mut self, caller: &mut C, line: &LogLine, creation: &ResourceCreation) {
        let heap = match creation.heap() {
            None => HeapId::NULL,
            Some(logged) => match self.heap(logged) {
                Some(heap) => heap,
                None => {
                    self.skip();
                    // The id is used up without an object, so that later ids still match.
                    return self.objects.extend(creation.resource.map(|_| ObjectId::NULL));
                }
            },
        };
        if has_null_output(creation.hr, creation.resource.is_some()) {
            return self.skip();
        }
        let (device, plan) = (self.device, self.plan);
        let output = self.call(caller, line, |caller| create_resource(caller, device, heap, plan, creation));
        self.judge(caller, line, creation.hr, &output);
        match (creation.resource, output) {
            (Some(_), output) => self.objects.push(output.unwrap_or_default().into()),
            (None, Ok(resource)) => self.undo(|| caller.call(d3d12::ReleaseResource { resource })),
            (None, Err(_)) => {}
        }
    }

    /// Releases an object that the log did not create, with a call that the log does not have.
    pub(super) fn undo<T>(&mut self, release: impl FnOnce() -> HResult<T>) {
        // Releasing a new object succeeds, so the result is of no interest.
        let _ = release();
        self.position = None;
    }

    pub(super) fn object(&self, logged: u64) -> Option<ObjectId> {
        let object = self.objects.get(usize::try_from(logged).ok()?)?;
        (*object != ObjectId::NULL).then_some(*object)
    }

    fn heap(&self, logged: HeapId) -> Option<HeapId> {
        self.object(logged.0).map(|object| HeapId(object.0))
    }

    fn resource(&self, logged: ResourceId) -> Option<ResourceId> {
        self.object(logged.0).map(|object| ResourceId(object.0))
    }
}

impl LiveBuffers for LogPlayer<'_> {
    fn resource(&self, logged: ResourceId) -> ResourceId {
        LogPlayer::resource(self, logged).unwrap_or(ResourceId::NULL)
    }

    fn address(&self, logged: ResourceId) -> u64 {
        self.addresses.get(&logged).copied().unwrap_or_default()
    }
}

/// True for S_OK and the other success codes.
fn is_success(hr: HResultCode) -> bool {
    hr.0 & 0x8000_0000 == 0
}

/// True if the logged call succeeded without creating anything, because its output pointer was null (S_FALSE). The
/// runtime's calls always have an output.
fn has_null_output(hr: HResultCode, created: bool) -> bool {
    !created && is_success(hr)
}
