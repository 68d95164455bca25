//! Workload of textures written by the CPU: directly into GPU memory if the driver has the instant-access extension,
//! otherwise through an ordinary staging texture.
//!
//! The recorded writes are the writes of the copy kernels of `taut_tiling`, observed while their loops run. Each thread
//! has its own device, because an immediate context must be used by one thread.

mod device;
mod image;
mod kernel;
mod recorder;
mod surface;

use super::error::WorkloadError;
use super::parameter::Parameter;
use super::parameters::Parameters;
use super::steps::Steps;
use super::thread_barrier::ThreadBarrier;
use super::thread_group::{self, ThreadBody};
use super::workload::{Scenario, Workload};
use device::UploadDevice;
use image::UploadImage;
use taut_capture::{Caller, Callers};
use taut_schemas::{PhaseEdge, ResourceDesc, mark};

const MODE: Parameter = Parameter::word("mode", kernel::MODES, "order in which texels are written");
const STORE_BYTES: Parameter =
    Parameter::word("store_bytes", &["16", "4"], "bytes per store, in the modes where the store size is free");
const UPLOADS: Parameter = Parameter::number("uploads", 1, 0, 100_000, "number of writes of each texture");
const SWIZZLE: Parameter =
    Parameter::word("swizzle", &["reported", "other"], "address swizzle: as reported by Map, or the opposite");
const READ_BACK: Parameter =
    Parameter::word("read_back", &["none", "rows"], "part of the memory that is read back after the writes");
const THREADS: Parameter =
    Parameter::number("threads", 1, 1, 64, "application threads; the textures are distributed over them");

/// Parameters of an upload whose textures are those of an input.
pub(crate) const UPLOAD_PARAMETERS: &[Parameter] = &[MODE, STORE_BYTES, UPLOADS, SWIZZLE, READ_BACK, THREADS];

/// Default driver: one with the extension.
pub(crate) const UPLOAD_DRIVER: &str = "instant-access";

/// Textures written by the CPU.
pub struct TextureUpload;

impl Scenario for TextureUpload {
    const WORKLOAD: Workload = Workload {
        name: "texture-upload",
        description: "The CPU writes textures through the instant-access extension in the given order, and every \
                      store is recorded; without the extension it writes through staging textures.",
        driver: UPLOAD_DRIVER,
        parameters: &[
            MODE,
            STORE_BYTES,
            Parameter::number("width", 1024, 1, 16384, "width of each texture in texels; a multiple of the block size"),
            Parameter::number(
                "height",
                1024,
                1,
                16384,
                "height of each texture in texels; a multiple of the block size",
            ),
            Parameter::word("format", image::FORMATS, "format of the textures"),
            Parameter::number("textures", 1, 0, 100_000, "number of textures, if scene=none"),
            Parameter::word(
                "scene",
                image::SCENES,
                "scene whose images define the number and the extents of the textures",
            ),
            UPLOADS,
            Parameter::number("rect_x", 0, 0, 16383, "left edge of the rectangle written, in texels"),
            Parameter::number("rect_y", 0, 0, 16383, "top edge of the rectangle written, in texels"),
            Parameter::number("rect_width", 0, 0, 16384, "width of the rectangle; 0: up to the right edge"),
            Parameter::number("rect_height", 0, 0, 16384, "height of the rectangle; 0: down to the bottom edge"),
            SWIZZLE,
            READ_BACK,
            Parameter::number("seed", 1, 0, u64::MAX, "unused: the workload is deterministic"),
            THREADS,
        ],
        refused: &[],
        short: &[],
    };

    fn run<C: Callers>(callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
        Uploads { parameters, images: image::images(parameters)? }.play_all(callers)
    }

    fn steps(parameters: &Parameters) -> Steps {
        // An invalid format is reported by the run.
        let images = image::images(parameters).map_or(0, |images| images.len() as u64);
        Steps::Exactly(images.saturating_mul(parameters.get("uploads")))
    }
}

/// Uploads the top level of textures with these descriptions, in the order of the parameter `mode`. Textures of unknown
/// formats are left out.
///
/// # Errors
/// A required call failed, or the system cannot create a thread.
pub(crate) fn upload<'d, C: Callers>(
    callers: &C,
    parameters: &Parameters,
    textures: impl Iterator<Item = &'d ResourceDesc>,
) -> Result<(), WorkloadError> {
    Uploads { parameters, images: textures.filter_map(UploadImage::top_level).collect() }.play_all(callers)
}

/// State shared by the threads: the textures, each written by one thread.
struct Uploads<'a> {
    parameters: &'a Parameters,
    images: Vec<UploadImage>,
}

impl Uploads<'_> {
    fn threads(&self) -> u32 {
        self.parameters.count("threads")
    }

    fn play_all<C: Callers>(&self, callers: &C) -> Result<(), WorkloadError> {
        let mut main = callers.caller(0);
        phase(&mut main, PhaseEdge::BEGIN);
        let outcome = thread_group::play(callers, &mut main, self.threads(), self);
        phase(&mut main, PhaseEdge::END);
        outcome
    }
}

impl ThreadBody for Uploads<'_> {
    /// Creates a device and uploads this thread's textures in order.
    fn play<C: Caller>(&self, caller: &mut C, thread: u32, _: &ThreadBarrier) -> Result<(), WorkloadError> {
        let device = UploadDevice::create(caller)?;
        for image in self.images.iter().skip(thread as usize).step_by(self.threads() as usize) {
            device.upload(caller, self.parameters, image)?;
        }
        device.release(caller)
    }
}

fn phase<C: Caller>(caller: &mut C, edge: PhaseEdge) {
    caller.mark(mark::WorkloadPhase { phase_index: 0, edge, name: "upload".to_owned() });
}

#[cfg(test)]
mod tests;
