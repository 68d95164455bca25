//! Property tests: random programs on one to four contexts, whose driver calls are all audited.

use super::app::{App, DRIVERS, WITHOUT_LISTS};
use super::everything::Everything;
use proptest::prelude::*;
use taut_schemas::{
    BindFlags, ColorWriteEnable, D3d11CommandListId, D3d11ContextId, D3d11ResourceId, D3d11StateId, D3d11ViewId,
    EventCode, MapFlags, MapType, ObjectId, ShaderStage, d3d11,
};

/// Step of a program, with numbers that select existing objects.
#[derive(Debug, Clone)]
enum Step {
    Texture(bool),
    Dynamic,
    View(usize),
    Blend(u32),
    Copy(usize, usize, usize),
    SetView(usize, usize, u32),
    SetBlend(usize, usize),
    SetBuffer(usize, usize),
    Draw(usize),
    ClearState(usize),
    Map(usize, usize, bool),
    Unmap(usize, usize),
    Flush(usize),
    Finish(usize, bool, bool),
    Execute(usize, usize, bool),
    Release(usize),
    AddRef(usize),
    Context,
    Call(usize, usize),
    Query(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (n, b) = (any::<usize>, any::<bool>);
    prop_oneof![
        b().prop_map(Step::Texture),
        Just(Step::Dynamic),
        n().prop_map(Step::View),
        (0..3_u32).prop_map(Step::Blend),
        (n(), n(), n()).prop_map(|(a, b, c)| Step::Copy(a, b, c)),
        (n(), n(), 0..2_u32).prop_map(|(a, b, c)| Step::SetView(a, b, c)),
        (n(), n()).prop_map(|(a, b)| Step::SetBlend(a, b)),
        (n(), n()).prop_map(|(a, b)| Step::SetBuffer(a, b)),
        n().prop_map(Step::Draw),
        n().prop_map(Step::ClearState),
        (n(), n(), b()).prop_map(|(a, b, c)| Step::Map(a, b, c)),
        (n(), n()).prop_map(|(a, b)| Step::Unmap(a, b)),
        n().prop_map(Step::Flush),
        (n(), b(), b()).prop_map(|(a, b, c)| Step::Finish(a, b, c)),
        (n(), n(), b()).prop_map(|(a, b, c)| Step::Execute(a, b, c)),
        n().prop_map(Step::Release),
        n().prop_map(Step::AddRef),
        Just(Step::Context),
        (n(), n()).prop_map(|(a, b)| Step::Call(a, b)),
        (n(), n()).prop_map(|(a, b)| Step::Call(a, b)),
        (n(), n()).prop_map(|(a, b)| Step::Query(a, b)),
    ]
}

/// A program with every handle that it has received, including those of destroyed objects.
struct Program {
    app: App,
    everything: Everything,
    contexts: Vec<u64>,
    resources: Vec<u64>,
    dynamics: Vec<u64>,
    views: Vec<u64>,
    states: Vec<u64>,
    lists: Vec<u64>,
}

/// Maximum number of contexts, with the immediate one.
const MAX_CONTEXTS: usize = 4;

fn chosen(of: &[u64], which: usize) -> u64 {
    if of.is_empty() { 0 } else { of[which % of.len()] }
}

impl Program {
    fn new(driver: &str) -> Program {
        let mut app = App::new(driver);
        let everything = app.everything();
        let contexts = vec![app.immediate.0];
        let (resources, dynamics, views) = (Vec::new(), Vec::new(), Vec::new());
        Program { app, everything, contexts, resources, dynamics, views, states: Vec::new(), lists: Vec::new() }
    }

    fn context(&self, which: usize) -> D3d11ContextId {
        D3d11ContextId(chosen(&self.contexts, which))
    }

    /// Returns everything that can be released, except the immediate context, which belongs to the device.
    fn objects(&self) -> Vec<u64> {
        let all = [&self.contexts[1..], &self.resources, &self.dynamics, &self.views, &self.states, &self.lists];
        let mut all = all.concat();
        all.extend(self.everything.objects());
        all
    }

    fn create(&mut self, step: &Step) {
        let device = self.app.device;
        match step {
            Step::Texture(target) => {
                let flags = if *target { BindFlags::RENDER_TARGET } else { BindFlags::NONE };
                let texture = self.app.texture(BindFlags::SHADER_RESOURCE | flags);
                self.resources.push(texture.0);
            }
            Step::Dynamic => {
                let buffer = self.app.dynamic();
                self.dynamics.push(buffer.0);
            }
            Step::View(which) => {
                let resource = D3d11ResourceId(chosen(&self.resources, *which));
                let create = d3d11::CreateShaderResourceView { device, resource, desc: None };
                self.views.extend(self.app.call(&create).ok().map(|view| view.0));
            }
            Step::Blend(mask) => {
                let state = self.app.blend(ColorWriteEnable(*mask));
                self.states.push(state.0);
            }
            _ if self.contexts.len() < MAX_CONTEXTS => {
                let context = self.app.deferred();
                self.contexts.push(context.0);
            }
            _ => {}
        }
    }

    /// Named objects may be destroyed or of another kind: the call then reports an error.
    fn make(&mut self, step: &Step) {
        let resource = |which: usize| D3d11ResourceId(chosen(&self.resources, which));
        // A resource with views is also bound by itself.
        let either = |which: usize| if which.is_multiple_of(2) { &self.resources } else { &self.dynamics };
        let resource_or_dynamic = |which: usize| D3d11ResourceId(chosen(either(which), which / 2));
        match *step {
            Step::Copy(at, to, from) => {
                let (context, destination, source) = (self.context(at), resource(to), resource(from));
                let _ = self.app.call(&d3d11::CopyResource { context, destination, source });
            }
            Step::SetView(at, which, start_slot) => {
                let (context, view) = (self.context(at), D3d11ViewId(chosen(&self.views, which)));
                let views = if which % 5 == 0 { vec![view, D3d11ViewId::NULL] } else { vec![view] };
                let _ =
                    self.app.call(&d3d11::SetShaderResources { context, stage: ShaderStage::PIXEL, start_slot, views });
            }
            Step::SetBlend(at, which) => {
                let (context, blend_state) = (self.context(at), D3d11StateId(chosen(&self.states, which)));
                let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
                let _ = self.app.call(&d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask });
            }
            Step::SetBuffer(at, which) => {
                let (context, buffers) = (self.context(at), vec![resource_or_dynamic(which)]);
                let (stage, start_slot) = (ShaderStage::VERTEX, 0);
                let _ = self.app.call(&d3d11::SetConstantBuffers { context, stage, start_slot, buffers });
            }
            Step::Map(at, which, discard) => {
                let (context, resource) = (self.context(at), D3d11ResourceId(chosen(&self.dynamics, which)));
                let map_type = if discard { MapType::WRITE_DISCARD } else { MapType::WRITE_NO_OVERWRITE };
                let map = d3d11::Map { context, resource, subresource: 0, map_type, map_flags: MapFlags::NONE };
                let _ = self.app.call(&map);
            }
            Step::Unmap(at, which) => {
                let (context, resource) = (self.context(at), D3d11ResourceId(chosen(&self.dynamics, which)));
                let _ = self.app.call(&d3d11::Unmap { context, resource, subresource: 0 });
            }
            _ => self.steer(step),
        }
    }

    fn steer(&mut self, step: &Step) {
        match *step {
            Step::Draw(at) => {
                let draw = d3d11::Draw { context: self.context(at), vertex_count: 3, start_vertex_location: 0 };
                let _ = self.app.call(&draw);
            }
            Step::ClearState(at) => drop(self.app.call(&d3d11::ClearState { context: self.context(at) }).is_ok()),
            Step::Flush(at) => drop(self.app.call(&d3d11::Flush { context: self.context(at) }).is_ok()),
            Step::Finish(at, restore_deferred_context_state, want_command_list) => {
                let context = self.context(at);
                let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
                let list = self.app.call(&finish).ok().filter(|list| list.0 != 0);
                self.lists.extend(list.map(|list| list.0));
            }
            Step::Execute(at, which, restore_context_state) => {
                let (context, command_list) = (self.context(at), D3d11CommandListId(chosen(&self.lists, which)));
                let _ = self.app.call(&d3d11::ExecuteCommandList { context, command_list, restore_context_state });
            }
            Step::Release(which) => {
                let object = ObjectId(chosen(&self.objects(), which));
                let _ = self.app.release(object);
            }
            Step::Call(at, which) => drop(self.app.any_call(self.context(at), &self.everything, which).is_ok()),
            Step::Query(at, which) => {
                let returned = self.app.any_query(self.context(at), &self.everything, which);
                self.app.release_all(returned);
            }
            Step::AddRef(which) => {
                let object = ObjectId(chosen(&self.objects(), which));
                let _ = self.app.call(&d3d11::AddRef { object });
            }
            _ => {}
        }
    }

    /// Releases everything, after which no object may be left.
    fn end(mut self) -> ProgramLog {
        for object in self.objects() {
            while self.app.release(ObjectId(object)).is_ok_and(|count| count > 0) {}
        }
        let log = (std::mem::take(&mut self.app.answers), std::mem::take(&mut self.app.all_events));
        self.app.end();
        log
    }
}

proptest! {
    #[test]
    fn h05_h06_h23_h25_h27_every_program_keeps_the_rules_and_leaves_nothing(
        driver in prop::sample::select(&DRIVERS[..]),
        steps in prop::collection::vec(step(), 1..120),
    ) {
        run(driver, &steps);
    }

    #[test]
    fn h82_every_program_has_the_same_answers_where_the_driver_builds_no_lists(
        steps in prop::collection::vec(step(), 1..120),
    ) {
        prop_assert_eq!(run(DRIVERS[1], &steps).0, run(WITHOUT_LISTS, &steps).0);
    }

    /// A rundown between any two calls contains everything that later calls depend on.
    #[test]
    fn every_program_goes_on_from_what_was_written_down_and_read(
        driver in prop::sample::select(&[DRIVERS[0], DRIVERS[1], WITHOUT_LISTS][..]),
        steps in prop::collection::vec(step(), 1..120),
    ) {
        let mut program = Program::new(driver);
        program.app.goes_through_records = true;
        prop_assert!(played(program, &steps) == run(driver, &steps));
    }
}

/// Results of calls, and events inside them.
type ProgramLog = (Vec<Vec<u8>>, Vec<(EventCode, Vec<u8>)>);

/// Runs a program to its end.
fn run(driver: &str, steps: &[Step]) -> ProgramLog {
    played(Program::new(driver), steps)
}

fn played(mut program: Program, steps: &[Step]) -> ProgramLog {
    for step in steps {
        match step {
            Step::Texture(_) | Step::Dynamic | Step::View(_) | Step::Blend(_) | Step::Context => program.create(step),
            _ => program.make(step),
        }
    }
    program.end()
}
