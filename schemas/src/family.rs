//! The families: an API, a DDI, the inputs of the machine, the marks. Each is one line of [`for_each_family!`].

use serde::{Deserialize, Serialize};

/// Between whom a family's events happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Application to runtime: d3d12.h, d3d11.h and so on.
    Api,
    /// Runtime to driver and back: d3d12umddi.h, d3d10umddi.h.
    Ddi,
    /// What the machine behind the runtime does by itself, told to it as inputs: background tasks, the graphics processor.
    Task,
    /// Not a call: messages, violations, phases; and what a later build calls otherwise.
    #[serde(other)]
    Mark,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Layer; 4] = [Layer::Api, Layer::Ddi, Layer::Task, Layer::Mark];

    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Api => "api",
            Layer::Ddi => "ddi",
            Layer::Task => "task",
            Layer::Mark => "mark",
        }
    }

    /// Its calls are inputs of the runtime, made under locks of their own.
    pub fn is_input(self) -> bool {
        matches!(self, Layer::Api | Layer::Task)
    }

    /// The layer in words.
    pub fn title(self) -> &'static str {
        match self {
            Layer::Api => "API calls",
            Layer::Ddi => "DDI calls",
            Layer::Task => "Inputs of the machine",
            Layer::Mark => "Marks",
        }
    }
}

/// One family of events: those of one header, or of one kind of thing that is no call.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name: the module of its arguments, and the provider of its events in a trace. Names of events are unique per
    /// provider.
    pub provider: &'static str,
    /// The header that its lines come from.
    pub header: &'static str,
    /// The layer of its events.
    pub layer: Layer,
    /// The least number that a line of it may have.
    pub first: u16,
    /// The greatest number that a line of it may have.
    pub last: u16,
    /// What it is.
    pub doc: &'static str,
}

impl Family {
    /// Whether a trace says what its events are when the first one comes: Direct3D 11 and rundowns make up half of the table, and
    /// most recordings have neither.
    pub fn is_defined_when_used(&self) -> bool {
        matches!(self.header, "d3d11.h" | "d3d10umddi.h") || self.provider == "state"
    }
}

/// Hands the families to a macro, after what it is given besides. A line is: documentation, name, kind, layer, header,
/// numbers, and the lists of its lines. Its kind says who makes its calls, and how a line reads:
///
/// - `inputs`, which the runtime takes from applications or from the machine:
///   `7 CreateHeap [device, objects] creates HeapId = create_heap(arguments) -> Result;`. The locks are those that the
///   call takes before anything else, in the order of [`for_each_lock!`](crate::for_each_lock); what it creates, of
///   several `creates [ResourceId]`, follows them.
/// - `ddi`, which the runtime makes of a driver; `with callbacks` where the driver may call back, `with memory` where it may
///   reach the memory behind its handles, and call back:
///   `3080 CreatePipelineState with callbacks = create_pipeline_state(arguments) -> Result;`
/// - `callbacks`, which a driver makes of the runtime, `given` what cannot be recorded:
///   `4096 QueueProcessingWork = queue_processing_work(arguments) given work: BackgroundWork -> Result;`
/// - `marks`, which are not calls: `4352 DebugMessage { fields }`
///
/// A number that is no enumerator says what it means, so that a trace keeps like numbers together:
/// `size_bytes: u64 as Size` ([`Role`](crate::Role)). Numbers of lines are never used again; arguments are appended.
#[macro_export]
macro_rules! for_each_family {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Direct3D 12, from applications to the runtime.
            d3d12 = inputs Api "d3d12.h" 1..=1023 [
                d3d12_device_calls, d3d12_allocation_info_calls, d3d12_heap_calls, d3d12_resource_calls, d3d12_view_calls,
                d3d12_pipeline_state_calls, d3d12_command_list_calls, d3d12_command_queue_calls, d3d12_fence_calls
            ];
            /// Direct3D 11, from applications to the runtime, and the instant-access extension.
            d3d11 = inputs Api "d3d11.h" 1024..=2047 [
                d3d11_device_calls, d3d11_resource_calls, d3d11_view_calls, d3d11_state_calls, d3d11_context_calls,
                d3d11_command_list_calls, d3d11_extension_calls, d3d11_shader_calls, d3d11_pipeline_calls,
                d3d11_work_calls, d3d11_query_calls, d3d11_binding_calls
            ];
            /// What is presented, from applications to the runtime.
            dxgi = inputs Api "dxgi.h" 2048..=2559 [dxgi_calls, dxgi_chain_calls, dxgi_latency_calls];
            /// The operating system's events and settings.
            win32 = inputs Api "synchapi.h" 2560..=2687 [win32_calls];
            /// What the machine behind the runtime does by itself: its worker threads and its graphics processor.
            machine = inputs Task "" 2688..=2815 [machine_inputs];
            /// The graphics kernel, from applications and runtimes.
            d3dkmt = inputs Api "d3dkmthk.h" 2816..=3071 [d3dkmt_calls];
            /// Direct3D 12, from the runtime to the user-mode driver.
            d3d12_ddi = ddi Ddi "d3d12umddi.h" 3072..=3583 [d3d12_ddi_calls];
            /// Direct3D 11, from the runtime to the user-mode driver.
            d3d11_ddi = ddi Ddi "d3d10umddi.h" 3584..=3839 [d3d11_ddi_calls];
            /// Direct3D 11, from the runtime to a user-mode driver that has handles per context.
            d3d11_context_ddi = ddi Ddi "d3d10umddi.h" 3840..=4095 [
                d3d11_context_ddi_device_calls, d3d11_context_ddi_resource_calls, d3d11_context_ddi_view_calls,
                d3d11_context_ddi_state_calls, d3d11_context_ddi_context_calls, d3d11_context_ddi_command_list_calls,
                d3d11_context_ddi_shader_calls, d3d11_context_ddi_pipeline_calls, d3d11_context_ddi_work_calls,
                d3d11_context_ddi_query_calls
            ];
            /// Direct3D 12, from the user-mode driver back to the runtime.
            d3d12_callbacks = callbacks Ddi "d3d12umddi.h" 4096..=4351 [d3d12_callback_calls];
            /// Messages, violations, phases, background work, memory written, snapshots, what is recorded: what is no call.
            mark = marks Mark "" 4352..=4607 [
                message_marks, workload_marks, background_marks, memory_marks, present_marks, snapshot_marks,
                session_marks
            ];
            /// The kernel-mode driver, from the graphics kernel.
            dxgkddi = ddi Ddi "d3dkmddi.h" 4608..=5119 [dxgkddi_calls];
            /// Direct3D 11, from the user-mode driver back to the runtime.
            d3d11_callbacks = callbacks Ddi "d3d10umddi.h" 5120..=5375 [d3d11_callback_calls];
            /// What is presented, from DXGI to the user-mode drivers.
            dxgi_ddi = ddi Ddi "dxgiddi.h" 5376..=5631 [dxgi_ddi_calls];
            /// What the runtime remembers, at one stamp: rundowns, from which a replay can start.
            state = marks Mark "" 5632..=5887 [
                world_state, memory_state, object_state, submission_state, kernel_state, d3d11_state, d3d11_object_state,
                d3d11_context_state
            ];
        }
    };
}
