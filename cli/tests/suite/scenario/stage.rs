//! Runtime and driver of a scenario, with a trace of its calls.

use std::sync::Arc;
use taut_runtime::{EventLog, ExecuteWith, Machine, Profile, Settings, driver};
use taut_schemas::{
    BackgroundProcessingMode as Mode, Bytes, CommandAllocatorId, CommandListId, CommandListType, CommandQueueDesc,
    CommandQueueId, DeviceId, Encoder, EventCode, EventHandle, Field, MeasurementsAction as Action, Opcode,
    PipelineStateId, SchemaTable, d3d12, d3d12_callbacks, d3d12_ddi, dxgi, machine,
};
use taut_shaders::{BUNDLED, Material};
use taut_traces::{AdapterWorld, Header, ThreadWriter, Ticks, Trace, TraceWriter, Workload, World, WriteOptions};
use tempfile::TempDir;

pub struct Stage {
    machine: Machine<'static>,
    folder: TempDir,
    writer: TraceWriter,
    thread: ThreadWriter,
    stamp: u64,
    device: DeviceId,
    queue: CommandQueueId,
    list: CommandListId,
    allocator: CommandAllocatorId,
    pipelines: Vec<(PipelineStateId, Material)>,
    measures: bool,
    moved: Vec<(u64, u32)>,
    costs: Vec<u64>,
}

impl Stage {
    /// Creates a device with this driver, and a pipeline state for each of these bundled shaders.
    pub fn new(profile: Profile, shaders: &[usize]) -> Stage {
        let settings = Settings { developer_mode: true, ..Settings::default() };
        let world = World {
            adapters: vec![AdapterWorld {
                driver: profile.name.clone(),
                profile: serde_json::to_value(&profile).expect("a profile"),
            }],
            machine: serde_json::Value::Null,
            rules: settings.rules.to_string(),
            settings: serde_json::to_value(&settings).expect("settings"),
            workload: Workload { name: "scenario".to_owned(), ..Default::default() },
            clock: Ticks { source: "test".to_owned(), ticks_per_second: 1_000_000 },
            providers: None,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let header = Header { schema: SchemaTable::current(), world, ..Header::default() };
        let writer = TraceWriter::create(folder.path().join("scenario.taut"), header, WriteOptions::default());
        let writer = writer.expect("a trace");
        let thread = writer.thread(0);
        let mut stage = Stage {
            machine: Machine::new(settings, Arc::from(driver(&profile))),
            folder,
            writer,
            thread,
            stamp: 0,
            device: DeviceId::NULL,
            queue: CommandQueueId::NULL,
            list: CommandListId::NULL,
            allocator: CommandAllocatorId::NULL,
            pipelines: Vec::new(),
            measures: false,
            moved: Vec::new(),
            costs: Vec::new(),
        };
        stage.set_up(shaders);
        stage
    }

    fn set_up(&mut self, shaders: &[usize]) {
        let list_type = CommandListType::DIRECT;
        let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() };
        let device = self.call(create).expect("a device");
        self.device = device;
        let desc = CommandQueueDesc { list_type, ..CommandQueueDesc::default() };
        self.queue = self.call(d3d12::CreateCommandQueue { device, desc }).expect("a queue");
        self.allocator = self.call(d3d12::CreateCommandAllocator { device, list_type }).expect("an allocator");
        let command_allocator = self.allocator;
        let create = d3d12::CreateCommandList { device, list_type, command_allocator, ..Default::default() };
        self.list = self.call(create).expect("a list");
        self.call(d3d12::CloseCommandList { command_list: self.list }).expect("closed");
        for place in shaders {
            let material = BUNDLED[*place].material().expect("a bundled shader");
            let shader = Bytes(serde_json::to_vec(material.shader.function()).expect("a shader"));
            let id = self.call(d3d12::CreateGraphicsPipelineState { device, shader }).expect("a pipeline state");
            self.pipelines.push((id, material));
        }
    }

    fn write(&mut self, code: EventCode, row: &[u8]) {
        self.stamp += 1;
        self.thread.event(code, self.stamp, |encoder: &mut Encoder<'_>| encoder.raw(row));
    }

    /// Executes a call, and writes it with its inner events to the trace.
    fn call<C: ExecuteWith>(&mut self, call: C) -> C::Output {
        let mut row = 0_u64.to_le_bytes().to_vec();
        call.encode(&mut Encoder::new(&mut row));
        self.write(EventCode::new(C::ID, Opcode::Start), &row);
        let mut log = EventLog::default();
        let output = self.machine.call(&call, &mut log);
        for (code, row) in &log.events {
            self.write(*code, row);
        }
        if self.measures {
            self.look(&log);
        }
        let mut row = Vec::new();
        output.encode(&mut Encoder::new(&mut row));
        self.write(EventCode::new(C::ID, Opcode::Stop), &row);
        output
    }

    /// Collects the changes of variants and the costs in the measured phase.
    fn look(&mut self, log: &EventLog) {
        for entry in log.started::<d3d12_callbacks::ReportVariant>() {
            self.moved.push((entry.variant.0, entry.change.0));
        }
        for entry in log.started::<d3d12_ddi::CollectMeasurements>() {
            self.costs.push(entry.runs.iter().map(|run| run.executed).sum());
        }
    }

    /// Begins the measured phase.
    pub fn measure(&mut self) {
        self.measures = true;
    }

    /// Sets a mode. Returns true if further measurements are desired.
    pub fn set(&mut self, mode: Mode, measurements_action: Action, want_further: bool) -> bool {
        let (device, event) = (self.device, EventHandle::NULL);
        let set = d3d12::SetBackgroundProcessingMode { device, mode, measurements_action, event, want_further };
        self.call(set).expect("a mode").desired
    }

    /// Draws a frame to its end.
    pub fn frame(&mut self, drift: u32, scene: u32, draws: u32) {
        let (command_list, command_allocator) = (self.list, self.allocator);
        let reset = d3d12::ResetCommandList { command_list, command_allocator, ..Default::default() };
        self.call(reset).expect("open");
        for place in 0..self.pipelines.len() {
            let (pipeline_state, material) = &self.pipelines[place];
            let (pipeline_state, lanes) = (*pipeline_state, 4);
            let mut src_data: Vec<u32> = material.constants(drift).into_iter().map(|word| word.0).collect();
            if let Some(first) = src_data.first_mut() {
                *first ^= scene;
            }
            self.call(d3d12::SetPipelineState { command_list, pipeline_state }).expect("set");
            let set = d3d12::SetGraphicsRoot32BitConstants { command_list, src_data, ..Default::default() };
            self.call(set).expect("set");
            let draw = d3d12::DrawInstanced {
                command_list,
                vertex_count_per_instance: lanes,
                instance_count: 1,
                ..Default::default()
            };
            for _ in 0..draws {
                self.call(draw.clone()).expect("drawn");
            }
        }
        self.call(d3d12::CloseCommandList { command_list }).expect("closed");
        let command_queue = self.queue;
        self.call(d3d12::ExecuteCommandLists { command_queue, command_lists: vec![command_list] }).expect("submitted");
        self.call(dxgi::Present { command_queue, sync_interval: 0 }).expect("presented");
        self.call(machine::CompleteQueueOperation { command_queue, ..Default::default() }).expect("done");
        // Completes the operation that Present has queued, if any.
        let _ = self.call(machine::CompleteQueueOperation { command_queue, ..Default::default() });
    }

    /// Runs all tasks, one after the other.
    pub fn run_tasks(&mut self) {
        while let Ok(task) = self.call(machine::StartBackgroundWork { worker: 0, ..Default::default() }) {
            self.call(machine::FinishBackgroundWork { task, ..Default::default() }).expect("finished");
        }
    }

    /// Ends the trace. Returns the changes of variants, the costs of frames, and the trace.
    pub fn finish(self) -> (Vec<(u64, u32)>, Vec<u64>, Trace) {
        drop(self.thread);
        self.writer.finish().expect("a whole trace");
        let bytes = std::fs::read(self.folder.path().join("scenario.taut")).expect("a file");
        (self.moved, self.costs, Trace::from_bytes(bytes).expect("a trace"))
    }
}
