//! Direct3D 11 handles in two deferred contexts, and the report's figures of them.

use crate::trace_builder::TraceBuilder;
use serde_json::{Value, json};
use taut_analyze::handles::HandleSettings;
use taut_analyze::{Analysis, report};
use taut_schemas::{
    Call, CreateHandle, D3d11ContextId, D3d11ResourceId, DriverHandle, Field, FunctionTable, HResultCode, HandleAccess,
    HandleSize, HandleSizes, HandleType, Opcode, PrivateSize, RecordedCommands, ShaderStage, ThreadingCaps, d3d11,
    d3d11_callbacks, d3d11_context_ddi as ddi, mark,
};
use taut_traces::Trace;

mod limits;
mod memory_use;
mod page_numbers;

const IMMEDIATE: D3d11ContextId = D3d11ContextId(100);
const DEFERRED: [D3d11ContextId; 2] = [D3d11ContextId(101), D3d11ContextId(102)];
/// Handles in the immediate context.
const TEXTURE: DriverHandle = DriverHandle(0x1000_1000);
const VIEW: DriverHandle = DriverHandle(0x1000_2000);
const LIST: DriverHandle = DriverHandle(0x1000_3000);
const SIZES: [(HandleType, u64); 3] =
    [(HandleType::RESOURCE, 256), (HandleType::SHADERRESOURCEVIEW, 48), (HandleType::COMMANDLIST, 32)];

/// Handle of the context itself.
fn device(context: D3d11ContextId) -> DriverHandle {
    DriverHandle((context.0 - 99) << 28)
}

/// Handle of an object in a deferred context.
fn opened(context: D3d11ContextId, ic: DriverHandle) -> DriverHandle {
    DriverHandle(ic.0 - device(IMMEDIATE).0 + device(context).0)
}

fn table() -> FunctionTable {
    let stages = |line: u16| (0..6).map(move |stage| FunctionTable::stage_slot(line, ShaderStage(stage)));
    let lines = ddi::FAMILY.first..=ddi::FAMILY.last;
    FunctionTable { slots: lines.flat_map(|line| stages(line).chain([FunctionTable::slot(line)])).collect() }
}

fn access((handle, offset_bytes, size_bytes, is_write): (DriverHandle, u64, u32, bool)) -> HandleAccess {
    HandleAccess { handle, offset_bytes, size_bytes, is_write }
}

impl TraceBuilder {
    fn accessed(&mut self, context: D3d11ContextId, accesses: &[(DriverHandle, u64, u32, bool)]) {
        self.mark(mark::HandleAccesses { context, accesses: accesses.iter().copied().map(access).collect() });
    }

    fn queried(&mut self, handle_type: HandleType, ic_handle: DriverHandle) {
        let device = device(IMMEDIATE);
        let size_bytes = SIZES.iter().find(|size| size.0 == handle_type).unwrap().1;
        let call = ddi::CalcDeferredContextHandleSize { context: IMMEDIATE, device, handle_type, ic_handle };
        self.ddi(call, PrivateSize { size_bytes });
    }

    /// Creates a device, two deferred contexts, a texture and its view.
    fn device_with_contexts(&mut self) {
        let caps = ThreadingCaps(ThreadingCaps::FREETHREADED.0 | ThreadingCaps::COMMANDLISTS_BUILD_2.0);
        self.ddi(ddi::GetThreadingCaps {}, caps);
        let (context, own) = (IMMEDIATE, device(IMMEDIATE));
        let core_layer = DriverHandle(context.0);
        self.ddi(ddi::CreateDevice { context, device: own, core_layer }, Ok(table()));
        let sizes: Vec<HandleSize> =
            SIZES.map(|(handle_type, size_bytes)| HandleSize { handle_type, size_bytes }).to_vec();
        for (capacity, sizes) in [(None, Vec::new()), (Some(3), sizes)] {
            let call = ddi::CheckDeferredContextHandleSizes { context, device: own, capacity };
            self.ddi(call, HandleSizes { count: 3, sizes });
        }
        for deferred_context in DEFERRED {
            let deferred_device = device(deferred_context);
            let core_layer = DriverHandle(deferred_context.0);
            let call =
                ddi::CreateDeferredContext { context, device: own, deferred_context, deferred_device, core_layer };
            self.ddi(call, table());
        }
        let handle = CreateHandle { driver_handle: TEXTURE, size_bytes: 192, ..Default::default() };
        let (resource, desc) = (D3d11ResourceId(30), Some(Default::default()));
        self.ddi(ddi::CreateResource { context, device: own, handle, resource, desc }, Ok(Default::default()));
        self.accessed(context, &[(TEXTURE, 0, 32, true)]);
        self.queried(HandleType::RESOURCE, TEXTURE);
        let handle = CreateHandle { driver_handle: VIEW, dependency_handle: TEXTURE, ..handle };
        self.ddi(ddi::CreateShaderResourceView { context, device: own, handle, desc: Some(Default::default()) }, ());
        self.accessed(context, &[(VIEW, 0, 8, true)]);
        self.queried(HandleType::SHADERRESOURCEVIEW, VIEW);
    }

    fn open_texture(&mut self, context: D3d11ContextId) {
        let driver_handle = opened(context, TEXTURE);
        let (ic_handle, size_bytes, args_null) = (TEXTURE, 256, true);
        let handle = CreateHandle { driver_handle, size_bytes, ic_handle, args_null, ..Default::default() };
        let resource = D3d11ResourceId(30);
        let call = ddi::CreateResource { context, device: device(context), handle, resource, desc: None };
        self.ddi(call, Ok(Default::default()));
        self.accessed(context, &[(driver_handle, 0, 8, true)]);
    }

    /// Opens the view and its texture, binds the view and draws.
    fn record_draws(&mut self, context: D3d11ContextId, draws: u32) {
        let own = device(context);
        self.open_texture(context);
        let (view, dependency_handle) = (opened(context, VIEW), opened(context, TEXTURE));
        let handle = CreateHandle {
            driver_handle: view,
            size_bytes: 48,
            ic_handle: VIEW,
            dependency_handle,
            args_null: false,
            args_zero: true,
        };
        self.ddi(ddi::CreateShaderResourceView { context, device: own, handle, desc: None }, ());
        self.accessed(context, &[(view, 0, 8, true)]);
        for _ in 0..draws {
            let (stage, start_slot, views) = (ShaderStage::PIXEL, 0, vec![view]);
            self.ddi(ddi::SetShaderResources { context, device: own, stage, start_slot, views }, ());
            let texture = opened(context, TEXTURE);
            self.accessed(
                context,
                &[(view, 0, 8, false), (TEXTURE, 16, 8, false), (texture, 8, 8, true), (own, 0, 16, true)],
            );
            self.ddi(ddi::Draw { context, device: own, vertex_count: 3, start_vertex: 0 }, ());
        }
    }

    fn finish_list(&mut self, deferred_context: D3d11ContextId) {
        let (context, own, deferred_device) = (IMMEDIATE, device(IMMEDIATE), device(deferred_context));
        let handle = CreateHandle { driver_handle: LIST, size_bytes: 64, ..Default::default() };
        let call = ddi::CreateCommandList { context, device: own, deferred_device, handle };
        self.ddi(call, RecordedCommands::default());
        self.accessed(context, &[(deferred_device, 0, 16, false), (LIST, 0, 24, true)]);
        self.queried(HandleType::COMMANDLIST, LIST);
        let (handle, device) = (opened(deferred_context, VIEW), deferred_device);
        self.ddi(ddi::DestroyShaderResourceView { context: deferred_context, device, handle }, ());
        let handle = opened(deferred_context, TEXTURE);
        self.ddi(ddi::DestroyResource { context: deferred_context, device, handle }, ());
        let core_layer = DriverHandle(deferred_context.0);
        let call =
            ddi::RecycleCreateDeferredContext { context, device: own, deferred_context, deferred_device, core_layer };
        self.ddi(call, Ok(table()));
    }

    /// Returns E_OUTOFMEMORY from a draw.
    fn run_out(&mut self, context: D3d11ContextId) {
        let call = ddi::Draw { context, device: device(context), vertex_count: 3, start_vertex: 0 };
        self.event(ddi::Draw::ID, Opcode::Start, |row| call.encode(row));
        let (core_layer, code) = (DriverHandle(context.0), HResultCode::E_OUTOFMEMORY);
        self.ddi(d3d11_callbacks::SetError { core_layer, code }, ());
        self.event(ddi::Draw::ID, Opcode::Stop, |row| ().encode(row));
    }

    /// Produces everything the report covers: a context that writes to another context's handle, an out-of-memory
    /// error, an access outside all handles, and handles that outlive their contexts.
    pub fn handles(&mut self) {
        self.api(d3d11::Flush { context: IMMEDIATE }, Ok(()), |w| {
            w.device_with_contexts();
            let [first, second] = DEFERRED;
            w.record_draws(first, 3);
            w.record_draws(second, 2);
            w.accessed(second, &[(opened(first, TEXTURE), 8, 8, true), (DriverHandle(0x7777), 0, 8, false)]);
            w.run_out(second);
            w.finish_list(first);
            w.open_texture(first);
            w.ddi(ddi::DestroyDevice { context: first, device: device(first) }, ());
            w.ddi(ddi::DestroyDevice { context: IMMEDIATE, device: device(IMMEDIATE) }, ());
        });
    }
}

fn trace_with(write: impl FnOnce(&mut TraceBuilder)) -> Trace {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.api_start(d3d11::Flush { context: IMMEDIATE });
    write(&mut trace_builder);
    trace_builder.finish()
}

fn figures(trace: Trace) -> Value {
    let analysis = Analysis::new(trace).unwrap();
    let handles = report("handles").unwrap();
    assert_eq!(handles.not_applicable(&analysis).unwrap(), None);
    handles.run(&analysis).unwrap().json
}

fn broken(figures: &Value) -> Vec<&str> {
    let audits = figures["audits"].as_array().unwrap().iter();
    audits.filter(|audit| audit["findings"] != 0).map(|audit| audit["rule"].as_str().unwrap()).collect()
}

#[test]
fn h01_an_object_has_a_handle_in_each_context_and_the_peak_counts_them_all() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        DEFERRED.into_iter().for_each(|context| w.record_draws(context, 1));
    }));
    assert_eq!((&found["peak_handles"], &found["peak_bytes"]), (&json!(6), &json!(2 * 192 + 2 * (256 + 48))));
    assert_eq!(found["peak"]["duplicated_bytes"], 256 + 48);
    let cost = &found["cost"];
    assert_eq!((&cost["contexts"], &cost["handles"], &cost["extra_bytes"]), (&json!(2), &json!(4), &json!(256 + 48)));
    assert_eq!(
        cost["estimate"][0],
        json!({ "contexts": 1, "handles": 2, "bytes": 256 + 48, "max_handles": 2, "max_bytes": 256 + 48 })
    );
    assert_eq!(
        cost["estimate"][1],
        json!({ "contexts": 2, "handles": 4, "bytes": 2 * (256 + 48), "max_handles": 4, "max_bytes": 2 * (256 + 48) })
    );
    assert_eq!((broken(&found), &found["leaks"]), (Vec::new(), &Value::Null));
}

#[test]
fn h26_recycled_memory_is_a_hit_and_line_rounding_is_waste() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 1);
        w.finish_list(DEFERRED[0]);
        w.open_texture(DEFERRED[0]);
    }));
    let of_views = &found["size_classes"][0];
    assert_eq!((&of_views["class_bytes"], &of_views["hit_ratio"]), (&json!(64), &json!(0.0)));
    assert_eq!(of_views["waste_ratio"], json!(0.25));
    let of_textures = &found["size_classes"][1];
    assert_eq!((&of_textures["opened"], &of_textures["recycled"]), (&json!(2), &json!(1)));
    let context = &found["contexts"][1];
    assert_eq!((&context["recreated"], &context["recordings"], &context["opened"]), (&json!(1), &json!(1), &json!(3)));
}

#[test]
fn h30_bytes_beyond_a_line_that_are_accessed_rarely_are_cold() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 9);
        let texture = opened(DEFERRED[0], TEXTURE);
        w.accessed(DEFERRED[0], &[(texture, 64, 16, false), (texture, 72, 8, false)]);
    }));
    // 192 of 256 bytes are beyond the first line. The word at 8 is accessed nine times, the one at 64 once, the one at
    // 72 twice.
    assert_eq!(found["large"][0]["cold_bytes"], 192 - 8);
    // All bytes but the word at 8 and the first 8 bytes of the view, which were written only at creation.
    assert_eq!(found["copies"]["unwritten_bytes"], 256 - 8 + 48);
}

#[test]
fn h32_a_line_written_by_two_contexts_is_shared_with_object_and_call() {
    let found = figures(trace_with(TraceBuilder::handles_of_two));
    assert_eq!((&found["shared_lines"], &found["line_transfers"]), (&json!(1), &json!(1)));
    let line = &found["contended"][0];
    assert_eq!((&line["address"], &line["between"]), (&json!(opened(DEFERRED[0], TEXTURE).0), &json!([101, 102])));
    assert_eq!((&line["objects"], &line["calls"]), (&json!(["RESOURCE 0x10001000"]), &json!(["Draw"])));
    assert_eq!(found["accesses_by_owner"]["foreign_accesses"], 1);
    assert_eq!(broken(&found), ["H-38"]);
    let address = opened(DEFERRED[0], TEXTURE).0;
    let wording = format!(
        "True sharing: 1 cache line of 64 B (0x{address:x}) has {} writes of contexts 101 and 102 in Draw and \
         SetShaderResources; handle rule H-38 is broken; at peak ",
        line["total_writes"]
    );
    assert!(found["verdict"]["sentence"].as_str().unwrap().starts_with(&wording), "{}", found["verdict"]);
    assert_eq!(
        found["verdict"]["advice"],
        "Give each context its own copy of the words that several contexts write: padding does not separate them."
    );
}

impl TraceBuilder {
    fn handles_of_two(&mut self) {
        self.device_with_contexts();
        DEFERRED.into_iter().for_each(|context| self.record_draws(context, 1));
        self.accessed(DEFERRED[1], &[(opened(DEFERRED[0], TEXTURE), 8, 8, true)]);
    }
}

#[test]
fn h32_with_larger_lines_more_lies_on_one() {
    let trace = trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 1);
        let texture = opened(DEFERRED[0], TEXTURE);
        w.accessed(DEFERRED[0], &[(texture, 64, 8, true), (texture, 128, 8, true)]);
    });
    let analysis = Analysis::new(trace).unwrap().with_handle_settings("32KiB:8:128".parse::<HandleSettings>().unwrap());
    let found = report("handles").unwrap().run(&analysis).unwrap().json;
    // One line of the view, two of the texture, one of the context itself, and one of the texture in the immediate
    // context.
    assert_eq!((&found["cache_line_bytes"], &found["lines"]), (&json!(128), &json!(5)));
    assert_eq!(found["size_classes"][0]["class_bytes"], 128);
}

/// Rule H-34: reads of a deferred context from the immediate context's handle memory are indirections, and their ratio
/// is reported.
#[test]
fn h34_reads_of_immediate_handle_memory_are_indirections_with_a_ratio() {
    for draws in [1, 3, 10] {
        let found = figures(trace_with(|w| {
            w.device_with_contexts();
            w.record_draws(DEFERRED[0], draws);
        }));
        // Opening writes to each of two handles. A draw reads the view's handle, writes to the texture's and the
        // context's own, and reads the handle memory of the texture in the immediate context.
        let (own, shared) = (u64::from(2 + 3 * draws), u64::from(draws));
        let by_owner = &found["accesses_by_owner"];
        assert_eq!((&by_owner["own_accesses"], &by_owner["shared_reads"]), (&json!(own), &json!(shared)), "{draws}");
        assert_eq!((&by_owner["mutable_accesses"], &by_owner["foreign_accesses"]), (&json!(0), &json!(0)));
        assert_eq!(by_owner["indirection_ratio"], json!(shared as f64 / (own + shared) as f64));
        assert_eq!(broken(&found), Vec::<&str>::new(), "advice, no violation");
    }
}

impl TraceBuilder {
    /// Opens blend states at the given distance and reads each as often as given.
    fn blends_apart(&mut self, count: u64, apart_bytes: u64, reads: impl Fn(u64) -> u32) {
        let context = DEFERRED[0];
        for at in 0..count {
            let ic_handle = DriverHandle(device(IMMEDIATE).0 + 0x10_0000 + at * 256);
            let handle = CreateHandle { driver_handle: ic_handle, size_bytes: 64, ..Default::default() };
            let of = (IMMEDIATE, device(IMMEDIATE));
            let create = ddi::CreateBlendState { context: of.0, device: of.1, handle, ..Default::default() };
            self.ddi(create, ());
            let driver_handle = DriverHandle(device(context).0 + 0x10_0000 + at * apart_bytes);
            let handle =
                CreateHandle { driver_handle, size_bytes: 64, ic_handle, args_null: true, ..Default::default() };
            let device = device(context);
            self.ddi(ddi::CreateBlendState { context, device, handle, ..Default::default() }, ());
            for _ in 0..reads(at) {
                // Not adjacent, because adjacent accesses are merged.
                self.accessed(context, &[(driver_handle, 0, 8, false), (driver_handle, 16, 8, false)]);
            }
        }
    }
}

/// Rule H-80: the application has to order the calls of several threads on one context; the report shows that this
/// order matters.
#[test]
fn h80_threads_that_continue_each_others_recording_are_reported() {
    let recorded = |turns: &[(u32, bool)]| {
        let found = figures(trace_with(|w| {
            w.device_with_contexts();
            w.open_texture(DEFERRED[0]);
            let (context, own) = (DEFERRED[0], device(DEFERRED[0]));
            w.record_draws(DEFERRED[1], 2);
            let mut begun = vec![0];
            for (thread, finishes) in turns {
                w.thread = *thread;
                if !begun.contains(thread) {
                    begun.push(*thread);
                    w.api_start(d3d11::Flush { context });
                }
                w.ddi(ddi::Draw { context, device: own, vertex_count: 3, start_vertex: 0 }, ());
                if *finishes {
                    let deferred_context = context;
                    let core_layer = DriverHandle(context.0);
                    let by = device(IMMEDIATE);
                    w.ddi(
                        ddi::RecycleCreateDeferredContext {
                            context: IMMEDIATE,
                            device: by,
                            deferred_context,
                            deferred_device: own,
                            core_layer,
                        },
                        Ok(table()),
                    );
                }
            }
        }));
        let contexts = found["contexts"].as_array().unwrap();
        assert_eq!((&contexts[2]["threads"], &contexts[2]["thread_changes"]), (&json!(1), &json!(0)));
        [&contexts[1]["threads"], &contexts[1]["thread_changes"]].map(|figure| figure.as_u64().unwrap())
    };
    assert_eq!(recorded(&[(0, false), (0, true), (0, false)]), [1, 0]);
    assert_eq!(recorded(&[(1, false), (0, false), (1, false)]), [2, 2]);
    assert_eq!(recorded(&[(0, true), (1, false), (1, true), (0, true)]), [2, 0], "each has its recordings");
}

#[test]
fn h37_deferred_reads_of_immediate_writes_are_reported_each_time() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 2);
        w.accessed(IMMEDIATE, &[(TEXTURE, 16, 8, true)]);
        w.accessed(DEFERRED[0], &[(TEXTURE, 16, 8, false)]);
        w.accessed(DEFERRED[0], &[(TEXTURE, 16, 8, false)]);
    }));
    assert_eq!((broken(&found), &found["violations"]), (vec!["H-37"], &json!(3)));
    assert_eq!(
        (&found["accesses_by_owner"]["shared_reads"], &found["accesses_by_owner"]["mutable_accesses"]),
        (&json!(2), &json!(2))
    );
}

#[test]
fn h03_an_immediate_handle_destroyed_first_is_reported_with_its_timestamp() {
    let mut expected = 0;
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        w.record_draws(DEFERRED[0], 1);
        let (context, handle) = (IMMEDIATE, VIEW);
        w.ddi(ddi::DestroyShaderResourceView { context, device: device(context), handle }, ());
        expected = w.stamp;
    }));
    assert_eq!((broken(&found), &found["lifetime_order_violations"]), (vec!["H-03"], &json!(1)));
    let audits = found["audits"].as_array().unwrap();
    let audit = audits.iter().find(|audit| audit["rule"] == "H-03").unwrap();
    assert_eq!((&audit["first_findings"][0]["at_stamp"], &audit["ok"]), (&json!(expected), &json!(false)));
}

/// Rule H-23: events of other threads are independent.
#[test]
fn h23_events_of_another_thread_between_creation_and_query_are_ignored() {
    let found = figures(trace_with(|w| {
        w.device_with_contexts();
        let context = IMMEDIATE;
        let handle = CreateHandle { driver_handle: LIST, size_bytes: 192, ..Default::default() };
        let (resource, desc) = (D3d11ResourceId(31), Some(Default::default()));
        let create = ddi::CreateResource { context, device: device(context), handle, resource, desc };
        w.ddi(create, Ok(Default::default()));
        w.thread = 1;
        w.api_start(d3d11::Flush { context: DEFERRED[0] });
        w.record_draws(DEFERRED[0], 1);
        w.thread = 0;
        w.queried(HandleType::RESOURCE, LIST);
    }));
    assert_eq!(broken(&found), Vec::<&str>::new());
}

#[test]
fn handles_left_at_destruction_leak_and_out_of_memory_names_its_call() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.handles();
    let found = figures(trace_builder.finish());
    // The texture in the first context, both handles in the second, and three in the immediate one.
    assert_eq!(found["leaks"], 6);
    assert_eq!(
        (&found["out_of_memory"][0]["context"], &found["out_of_memory"][0]["call"]),
        (&json!(102), &json!("Draw"))
    );
    assert_eq!((&found["unattributed_accesses"], &found["out_of_memory"][0]["times"]), (&json!(1), &json!(1)));
    assert_eq!(broken(&found), ["H-38", "H-50"]);
}

#[test]
fn without_accesses_their_figures_are_null_and_reported_once() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder
        .ddi(ddi::CreateDevice { context: IMMEDIATE, device: device(IMMEDIATE), ..Default::default() }, Ok(table()));
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let result = report("handles").unwrap().run(&analysis).unwrap();
    for key in [
        "accesses",
        "unattributed_accesses",
        "lines",
        "shared_lines",
        "contended_lines",
        "line_transfers",
        "accesses_by_owner",
        "cache_sets",
        "leaks",
    ] {
        assert_eq!(result.json[key], Value::Null, "{key}");
    }
    let text = crate::plain_text::draw(&result.document);
    assert_eq!(text.matches("handle_accesses").count(), 1, "{text}");
    let verdict = result.verdict.unwrap();
    assert!(verdict.sentence.starts_with("False sharing is unknown, because the trace has no accesses"), "{verdict:?}");
    let advice = "Record accesses to handle memory: `taut replay FILE --setting handle_accesses=true -o NEW`.";
    assert_eq!(verdict.advice.as_deref(), Some(advice));
}

#[test]
fn a_trace_that_was_cut_breaks_no_rule_for_certain() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.handles();
    let mut bytes = trace_builder.bytes();
    bytes.truncate(bytes.len() - 10);
    let found = figures(Trace::from_bytes(bytes).unwrap());
    assert_eq!((found["violations"].clone(), found["whole"].clone()), (json!(0), json!(false)));
    let uncertain = found["audits"].as_array().unwrap().iter().filter(|audit| audit["uncertain"] == true);
    assert_eq!(uncertain.count(), broken(&found).len());
}
