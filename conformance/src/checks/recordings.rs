//! Checks of recordings of deferred contexts (rules H). Each check runs a program and compares its command lists.

use super::bench::Bench;
use super::context_program::{FEATURE_LEVEL, Program, ProgramObjects, create, record};
use super::tally::{NotApplicable, Tally};
use taut_schemas::{
    CpuAddress, D3d11ContextId, D3d11DeviceId, HResult, HResultCode, MapFlags, MapType, RecordedCommands, d3d11,
    d3d11_context_ddi as ddi, d3d12,
};

/// Number of recordings that each check compares.
const RECORDINGS: usize = 12;
/// Number of draws after which a context with a limited budget is out of memory.
const MANY_DRAWS: usize = 4096;

/// Program with a device whose driver builds command lists.
struct Recorder<'d> {
    program: Program<'d>,
    device: D3d11DeviceId,
    program_objects: ProgramObjects,
}

impl<'d> Recorder<'d> {
    fn new(bench: &mut Bench<'d>) -> Result<Recorder<'d>, NotApplicable> {
        let driver = bench.driver();
        if driver.d3d11_context_ddi().is_none() {
            return Err(NotApplicable("the driver has no handles per context".to_owned()));
        }
        let mut program = Program::new(driver, bench.settings());
        Recorder::begin(&mut program)
            .map_err(|code| NotApplicable(format!("no device of Direct3D 11 is to be had: {code:?}")))?
            .map(|(device, program_objects)| Recorder { program, device, program_objects })
            .ok_or_else(|| NotApplicable("the driver builds no command lists".to_owned()))
    }

    fn begin(program: &mut Program<'_>) -> HResult<Option<(D3d11DeviceId, ProgramObjects)>> {
        program.call(&d3d12::CreateDevice::default())?;
        let device =
            program.call(&d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() })?.device;
        let feature_query = d3d11::CheckFeatureSupport { device, size_bytes: 8, want_data: true };
        let builds = program.call(&feature_query)?.driver_command_lists;
        let program_objects = create(program, device)?;
        Ok(builds.then_some((device, program_objects)))
    }

    fn context(&mut self) -> Result<D3d11ContextId, NotApplicable> {
        let program_objects = self.program.call(&d3d11::CreateDeferredContext { device: self.device, flags: 0 });
        program_objects.map_err(|code| NotApplicable(format!("no deferred context is to be had: {code:?}")))
    }

    /// Finishes the recording. Returns the commands that the driver reports for the list.
    fn finish(&mut self, context: D3d11ContextId) -> HResult<RecordedCommands> {
        let (restore_deferred_context_state, want_command_list) = (false, true);
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        let list = self.program.call(&finish)?;
        let log = &self.program.last;
        let program_objects = log.stopped::<ddi::CreateCommandList>().into_iter().map(Ok);
        let holds = program_objects.chain(log.stopped::<ddi::RecycleCreateCommandList>()).next_back();
        let _ = self.program.call(&d3d11::Release { object: list.into() });
        holds.unwrap_or(Err(HResultCode::E_FAIL))
    }

    /// Records a fixed sequence of calls and finishes it.
    fn list(&mut self, context: D3d11ContextId) -> HResult<RecordedCommands> {
        record(&mut self.program, context, &self.program_objects, 3);
        self.finish(context)
    }
}

/// Counts a list that differs from the earlier list of the same calls; failed lists are not compared.
fn compare(tally: &mut Tally, before: HResult<RecordedCommands>, list: HResult<RecordedCommands>) {
    tally.count_result(match (before, list) {
        (Ok(before), Ok(list)) if before != list => {
            Some(format!("the same calls are recorded as {before:?}, and then as {list:?}"))
        }
        _ => None,
    });
}

/// Checks that the first recordings of two contexts are equal.
pub(super) fn first_recordings_are_equal(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut recorder = Recorder::new(bench)?;
    let mut tally = Tally::default();
    let first = recorder.context()?;
    let first = recorder.list(first);
    for _ in 1..RECORDINGS {
        let Ok(context) = recorder.context() else { break };
        let list = recorder.list(context);
        compare(&mut tally, first, list);
    }
    Ok(judged(tally))
}

/// Checks that later recordings of a context are equal to its first.
pub(super) fn later_recordings_are_equal(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut recorder = Recorder::new(bench)?;
    let mut tally = Tally::default();
    let context = recorder.context()?;
    let _ = recorder.list(context);
    let second = recorder.list(context);
    for _ in 2..RECORDINGS {
        let list = recorder.list(context);
        compare(&mut tally, second, list);
    }
    Ok(judged(tally))
}

/// Checks that a recording that has fitted into a context fits again.
pub(super) fn releases_budget(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut recorder = Recorder::new(bench)?;
    let mut tally = Tally::default();
    let context = recorder.context()?;
    let first = recorder.list(context);
    for recording in 1..RECORDINGS {
        let list = recorder.list(context);
        let is_out = first.is_ok() && list == Err(HResultCode::E_OUTOFMEMORY);
        tally.count_result(is_out.then(|| format!("memory is out in recording {recording}; it was not in the first")));
    }
    Ok(judged(tally))
}

/// Checks that a context that was out of memory can record as much as a new context.
pub(super) fn recovers(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut recorder = Recorder::new(bench)?;
    let mut tally = Tally::default();
    let context = recorder.context()?;
    let first = recorder.list(context);
    record(&mut recorder.program, context, &recorder.program_objects, MANY_DRAWS);
    let many = recorder.finish(context);
    let list = recorder.list(context);
    let is_out = first.is_ok() && many.is_err() && list == Err(HResultCode::E_OUTOFMEMORY);
    tally.count_result(is_out.then(|| "memory is still out after FinishCommandList".to_owned()));
    Ok(judged(tally))
}

/// Checks that each discard of a recording is mapped at its own address.
pub(super) fn discards_get_new_addresses(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut recorder = Recorder::new(bench)?;
    let mut tally = Tally::default();
    let context = recorder.context()?;
    let mut known: Vec<CpuAddress> = Vec::new();
    for _ in 0..RECORDINGS {
        let (resource, map_type, map_flags) = (recorder.program_objects.buffer, MapType::WRITE_DISCARD, MapFlags::NONE);
        let mapped = recorder.program.call(&d3d11::Map { context, resource, subresource: 0, map_type, map_flags });
        let _ = recorder.program.call(&d3d11::Unmap { context, resource, subresource: 0 });
        let Ok(mapped) = mapped else { continue };
        let is_repeated = known.contains(&mapped.base_address);
        let CpuAddress(address) = mapped.base_address;
        tally.count_result(is_repeated.then(|| format!("two discards of a recording are mapped at 0x{address:x}")));
        known.push(mapped.base_address);
    }
    Ok(judged(tally))
}

/// Counts one passed case if nothing could be compared.
fn judged(mut tally: Tally) -> Tally {
    if tally.cases == 0 {
        tally.count_result(None);
    }
    tally
}
