//! Recording of a scene and the content of its trace by phase.

use std::collections::BTreeMap;
use std::path::Path;
use taut_schemas::{
    AllocationInfo, Call, Decoder, EventCode, Field, Mark, Opcode, PhaseEdge, ResourceDesc, d3d12, mark,
};
use taut_testkit::Recording;
use taut_traces::{Row, Trace};
use taut_workloads::Parameters;
use taut_workloads::scene::{PARAMETERS, Scene, run};

/// Parses parameters as the command line does.
pub fn parameters(overrides: &[(&str, &str)]) -> Parameters {
    let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Parameters::new(PARAMETERS, overrides).unwrap()
}

/// Events of one phase.
#[derive(Debug, Default)]
pub struct Phase {
    /// Descriptions of the created resources, in order.
    pub descs: Vec<ResourceDesc>,
    /// Sizes returned by GetResourceAllocationInfo.
    pub allocated: Vec<u64>,
    pub heap_bytes: Vec<u64>,
    pub names: Vec<String>,
    pub released: usize,
}

impl Phase {
    /// Returns the number of resources and the total of requested bytes.
    pub fn requested(&self) -> (usize, u64) {
        (self.descs.len(), self.descs.iter().map(|desc| desc.width).sum())
    }

    fn take(&mut self, row: &Row<'_>) {
        // An API call's arguments follow the 8 bytes of its lock wait time.
        let call = || row.payload.get(8..).unwrap();
        match (row.code.id(), row.code.opcode().unwrap()) {
            (d3d12::CreatePlacedResource::ID, Opcode::Start) => {
                self.descs.push(decoded::<d3d12::CreatePlacedResource>(call()).desc)
            }
            (d3d12::CreateCommittedResource::ID, Opcode::Start) => {
                self.descs.push(decoded::<d3d12::CreateCommittedResource>(call()).desc);
            }
            (d3d12::CreateHeap::ID, Opcode::Start) => {
                self.heap_bytes.push(decoded::<d3d12::CreateHeap>(call()).desc.size_bytes)
            }
            (d3d12::SetName::ID, Opcode::Start) => self.names.push(decoded::<d3d12::SetName>(call()).name),
            (d3d12::ReleaseResource::ID, Opcode::Start) => self.released += 1,
            (d3d12::GetResourceAllocationInfo::ID, Opcode::Stop) => {
                let info = AllocationInfo::decode(&mut Decoder::new(row.payload)).unwrap();
                self.allocated.push(info.size_bytes);
            }
            _ => {}
        }
    }
}

fn decoded<C: Call>(payload: &[u8]) -> C {
    C::decode(&mut Decoder::new(payload)).unwrap()
}

/// Phases by name.
pub type Phases = BTreeMap<String, Phase>;

/// Records the scene under the bundled driver of this name and reads the trace.
pub fn recorded(scene: &Scene, driver: &str, parameters: &Parameters) -> Phases {
    record(scene, driver, parameters, |file| phases(&Trace::open(file).unwrap()))
}

/// Records the scene and passes the trace to `then`.
pub fn record<R>(scene: &Scene, driver: &str, parameters: &Parameters, then: impl FnOnce(&Path) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.taut");
    let recording = Recording::under(driver).with_workload(&scene.name, scene.facts(parameters));
    recording.record(&file, |session| run(scene, session, parameters).unwrap());
    then(&file)
}

fn phases(trace: &Trace) -> Phases {
    let mut phases = Phases::new();
    let mut current: Option<String> = None;
    let mut rows = trace.rows();
    while let Some(row) = rows.next_row() {
        if row.code == EventCode::new(mark::WorkloadPhase::ID, Opcode::Info) {
            let phase = mark::WorkloadPhase::decode(&mut Decoder::new(row.payload)).unwrap();
            current = (phase.edge == PhaseEdge::BEGIN).then_some(phase.name);
        } else {
            let name = current.clone().expect("everything happens in a phase");
            phases.entry(name).or_default().take(&row);
        }
    }
    phases
}
