//! The families of events: an API, a DDI, the inputs of the machine, the marks. Each is one line of
//! [`for_each_family!`].

use serde::{Deserialize, Serialize};

/// The two parties between which a family's events happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Application to runtime: d3d12.h, d3d11.h and so on.
    Api,
    /// Runtime to driver and back: d3d12umddi.h, d3d10umddi.h.
    Ddi,
    /// Inputs from the machine below the runtime: background tasks and the GPU.
    Task,
    /// Events that are not calls: messages, violations, phases; also a layer that only a later build knows.
    #[serde(other)]
    Mark,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Layer; 4] = [Layer::Api, Layer::Ddi, Layer::Task, Layer::Mark];

    /// The layer's name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Api => "api",
            Layer::Ddi => "ddi",
            Layer::Task => "task",
            Layer::Mark => "mark",
        }
    }

    /// True if the layer's calls are inputs of the runtime, made under locks of their own.
    pub fn is_input(self) -> bool {
        matches!(self, Layer::Api | Layer::Task)
    }

    /// The layer's name for people.
    pub fn title(self) -> &'static str {
        match self {
            Layer::Api => "API calls",
            Layer::Ddi => "DDI calls",
            Layer::Task => "Inputs of the machine",
            Layer::Mark => "Marks",
        }
    }
}

/// One family of events: those of one header, or of one kind of event that is not a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// Name of the module of the family's arguments, and of the provider of its events in a trace. Names of events are
    /// unique per provider.
    pub provider: &'static str,
    /// Header that declares the events; empty if none does.
    pub header: &'static str,
    /// Layer of the events.
    pub layer: Layer,
    /// Min number of an event.
    pub first: u16,
    /// Max number of an event.
    pub last: u16,
    pub doc: &'static str,
}

/// Provider of the records of a rundown: the runtime's state at one stamp.
pub const RUNDOWN_PROVIDER: &str = "state";

impl Family {
    /// True if a trace defines the family's events when the first of them occurs. Direct3D 11 and rundowns make up half
    /// of the table, and most recordings have neither.
    pub fn is_defined_when_used(&self) -> bool {
        matches!(self.header, "d3d11.h" | "d3d10umddi.h") || self.provider == RUNDOWN_PROVIDER
    }
}

/// Calls `$handler!` with its arguments in brackets, then one entry per family: documentation, name, kind, layer,
/// header, range of event numbers, and the macros that contain the family's lists (an X macro, as the lists are).
///
/// The kind of a family determines the grammar of the entries in its lists:
///
/// - `inputs`, calls of the application or the machine into the runtime:
///   `7 CreateHeap [device, objects] creates HeapId = create_heap(arguments) -> HResult<HeapId>;`
/// - `ddi`, calls of the runtime into a driver; with `with callbacks` the driver may call back, with `with memory` the
///   driver may also access the memory of its handles:
///   `3080 CreatePipelineState with callbacks = create_pipeline_state(arguments) -> Result;`
/// - `callbacks`, calls of a driver into the runtime; `derived` names an input that is not recorded:
///   `4096 QueueProcessingWork = queue_processing_work(arguments) derived work: BackgroundWork -> Result;`
/// - `marks`, events that are not calls: `4352 DebugMessage { fields }`
///
/// Parts of an entry:
///
/// - The number identifies the event in traces. It is never reused. A number that is missing in a list belongs to
///   another list of the family, or to an event that no longer exists.
/// - The words in brackets are the locks that the call takes before it runs, in the order of
///   [`for_each_lock!`](crate::for_each_lock).
/// - `creates` is followed by the type of the created object's id; `creates [ResourceId]` stands for several objects.
/// - The function after `=` executes the call. Its parameters are the event's arguments, in the order of the header.
///   Arguments are only appended.
/// - The type after `->` is the result. An input whose function in the header returns nothing, such as Unmap, has
///   `HResult<()>`: the runtime reports an invalid id as E_HANDLE.
/// - A number that is not an enumerator has a role, `size_bytes: u64 as Size` ([`Role`](crate::Role)): a trace stores
///   numbers of one role together. A role describes the kind of number; an index is a `Count`.
#[macro_export]
macro_rules! for_each_family {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Direct3D 12, from applications to the runtime.
            d3d12 = inputs Api "d3d12.h" 1..=1023 [
                d3d12_device_calls, d3d12_allocation_info_calls, d3d12_heap_calls, d3d12_resource_calls, d3d12_view_calls,
                d3d12_pipeline_state_calls, d3d12_command_list_calls, d3d12_command_queue_calls, d3d12_fence_calls,
                d3d12_list_state_calls, d3d12_list_work_calls, d3d12_later_list_calls, d3d12_pipeline_object_calls,
                d3d12_descriptor_calls, d3d12_residency_calls
            ];
            /// Direct3D 11, from applications to the runtime, and the instant-access extension.
            d3d11 = inputs Api "d3d11.h" 1024..=2047 [
                d3d11_device_calls, d3d11_resource_calls, d3d11_view_calls, d3d11_state_calls, d3d11_context_calls,
                d3d11_command_list_calls, d3d11_extension_calls, d3d11_shader_calls, d3d11_pipeline_calls,
                d3d11_work_calls, d3d11_query_calls, d3d11_binding_calls
            ];
            /// Swap chains and presentation, from applications to the runtime.
            dxgi = inputs Api "dxgi.h" 2048..=2559 [dxgi_calls, dxgi_chain_calls, dxgi_latency_calls];
            /// The operating system's events and settings.
            win32 = inputs Api "synchapi.h" 2560..=2687 [win32_calls];
            /// Inputs from the machine below the runtime: its worker threads and its GPU.
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
            /// Events that are not calls: messages, violations, phases, background work, memory writes, snapshots, the
            /// session.
            mark = marks Mark "" 4352..=4607 [
                message_marks, workload_marks, background_marks, memory_marks, present_marks, snapshot_marks,
                session_marks, client_marks
            ];
            /// The kernel-mode driver, from the graphics kernel.
            dxgkddi = ddi Ddi "d3dkmddi.h" 4608..=5119 [dxgkddi_calls];
            /// Direct3D 11, from the user-mode driver back to the runtime.
            d3d11_callbacks = callbacks Ddi "d3d10umddi.h" 5120..=5375 [d3d11_callback_calls];
            /// Swap chains and presentation, from DXGI to the user-mode drivers.
            dxgi_ddi = ddi Ddi "dxgiddi.h" 5376..=5631 [dxgi_ddi_calls];
            /// Rundown: the runtime's state at one stamp, from which a replay can start.
            state = marks Mark "" 5632..=5887 [
                world_state, memory_state, object_state, submission_state, kernel_state, d3d11_state, d3d11_object_state,
                d3d11_context_state
            ];
        }
    };
}
