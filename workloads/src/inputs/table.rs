//! Table of the formats.

use super::content::{Content, ShapeKind};
use super::delimited::is_of_presents;
use crate::bundled::Parameter;
use crate::{present_log, scene};

/// Kind of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    Scene,
    Dump,
    Presents,
    CallLog,
    Capture,
    Gpgmm,
    Scenario,
}

/// Format that `taut record` reads.
#[derive(Debug)]
pub struct InputFormat {
    pub kind: InputKind,
    /// Name with article.
    pub name: &'static str,
    /// Name with suffixes, for messages.
    pub with_suffixes: &'static str,
    /// Lower-case suffixes.
    pub suffixes: &'static [&'static str],
    /// Recorded content, in one sentence.
    pub description: &'static str,
    /// Content by which a file is recognized, in words.
    pub mark: &'static str,
    /// Options that `--set` takes.
    pub parameters: &'static [Parameter],
    pub(super) shape: ShapeKind,
    pub(super) matches: fn(&Content) -> bool,
}

impl PartialEq for InputFormat {
    fn eq(&self, other: &InputFormat) -> bool {
        self.kind == other.kind
    }
}

impl Eq for InputFormat {}

/// Top-level keys of a glTF scene, of which version 1.0 need not have `asset`.
const SCENE_KEYS: [&str; 6] = ["accessors", "bufferViews", "buffers", "meshes", "nodes", "scenes"];

/// Formats, in the order of detection.
pub static INPUTS: [InputFormat; 7] = [
    InputFormat {
        kind: InputKind::Scene,
        name: "a glTF scene",
        with_suffixes: "a .gltf or .glb scene",
        suffixes: &[".gltf", ".glb"],
        description: "A glTF scene: one buffer per buffer view or accessor, one constant buffer per node and \
                      material, and one texture per image; everything is released after all resources exist.",
        mark: "a JSON object with the key `asset`, or the bytes `glTF`",
        parameters: scene::PARAMETERS,
        shape: ShapeKind::Json,
        matches: |content| {
            let keys = SCENE_KEYS.iter().filter(|key| content.has_key(key)).count();
            content.bytes.starts_with(b"glTF") || content.has_key("asset") || keys > 1
        },
    },
    InputFormat {
        kind: InputKind::Capture,
        name: "a Direct3D 12 capture of GFXReconstruct (gfxrecon-convert)",
        with_suffixes: "a .gfxr.jsonl or .gfxr.json file of gfxrecon-convert",
        suffixes: &[".gfxr.jsonl", ".gfxr.json"],
        description: "The calls of a GFXReconstruct capture of Direct3D 12: memory, views, queues, command lists, \
                      fences and presents; results are compared with the results in the capture.",
        mark: "rows of gfxrecon-convert, as JSON lines or as one JSON array: the key `gfxrecon-version`, or keys of a row",
        parameters: &[],
        shape: ShapeKind::Json,
        matches: Content::is_of_gfxrecon,
    },
    InputFormat {
        kind: InputKind::Gpgmm,
        name: "a trace of GPGMM (Chrome trace events)",
        with_suffixes: "a .gpgmm.json trace",
        suffixes: &[".gpgmm.json"],
        description: "The resources of a trace of the allocator GPGMM with their lifetimes; each resource is \
                      committed.",
        mark: "a JSON object with the key `traceEvents` and events of GPGMM's allocator",
        parameters: &[],
        shape: ShapeKind::Json,
        matches: |content| {
            const EVENTS: [&str; 7] = [
                "\"ResidencyManager\"",
                "\"ResourceAllocator\"",
                "\"GPGMM\"",
                "\"allocationDescriptor\"",
                "\"IResourceAllocator\"",
                "\"IResidencyManager\"",
                "\"ResourceAllocator.CreateResource\"",
            ];
            content.has_key("traceEvents") && EVENTS.iter().any(|event| content.head.contains(event))
        },
    },
    InputFormat {
        kind: InputKind::CallLog,
        name: "a log of Direct3D 12 calls (d3d12-calls)",
        with_suffixes: "a .jsonl or .jsonl.gz file of Direct3D 12 calls",
        suffixes: &[".jsonl", ".jsonl.gz"],
        description: "The calls of a log of Direct3D 12 calls (d3d12-calls, version 1), on the threads and in the \
                      order of the log.",
        mark: "JSON lines, the first with the key `format`; plain or gzip",
        parameters: &[],
        shape: ShapeKind::Json,
        matches: |content| {
            content.is_unreadable_gzip || content.has_key("format") || content.has_key("seq") && content.has_key("call")
        },
    },
    InputFormat {
        kind: InputKind::Dump,
        name: "a dump of D3D12MemoryAllocator",
        with_suffixes: "a .json dump of D3D12MemoryAllocator",
        suffixes: &[".json"],
        description: "The heaps and resources of a dump of D3D12MemoryAllocator, at the offsets in the dump.",
        mark: "a JSON object with the key `General` or `DefaultPools`, alone or in a log",
        parameters: &[],
        shape: ShapeKind::Json,
        matches: |content| {
            let is_dump =
                content.has_key("General") || content.has_key("DefaultPools") || content.has_key("DetailedMap");
            (is_dump || content.has_dump) && !content.is_gzip
        },
    },
    InputFormat {
        kind: InputKind::Presents,
        name: "a capture of presents (PresentMon)",
        with_suffixes: "a .csv capture of presents",
        suffixes: &[".csv"],
        description: "The presents of a capture of PresentMon, OCAT, CapFrameX or FrameView, at the captured times; \
                      frames are compared with the frames in the capture.",
        mark: "CSV of PresentMon, OCAT, CapFrameX or FrameView, or JSON of CapFrameX, with the time of Present (TimeInQPC, \
               TimeInSeconds, TimeInMs, TimeInDateTime or QPCTime; or CPUStartQPC, CPUStartQPCTime or CPUStartTime with \
               CPUBusy), the end of the GPU work (MsRenderPresentLatency or MsUntilRenderComplete; or GPULatency with \
               GPUTime) and the time of display (MsUntilDisplayed or DisplayLatency)",
        parameters: present_log::PARAMETERS,
        shape: ShapeKind::Delimited,
        matches: |content| {
            let is_table = is_of_presents(&content.columns()) || present_log::has_heading(&content.head);
            is_table || content.has_key("Runs")
        },
    },
    InputFormat {
        kind: InputKind::Scenario,
        name: "a scenario",
        with_suffixes: "a .toml scenario",
        suffixes: &[".toml"],
        description: "The phases of a scenario.",
        mark: "TOML with a table `phase`",
        parameters: &[],
        shape: ShapeKind::Toml,
        matches: |content| content.toml_keys().any(|key| key == "phase"),
    },
];

/// Returns the names of the accepted formats, as a list in words.
pub fn accepted() -> String {
    let names = INPUTS.iter().map(|format| format.name).collect::<Vec<_>>();
    match names.split_last() {
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
