//! Calls for devices, swap chains, references and fences.

use super::{Dxgi, Grouped, Kind, buffer_of, chain_of, created, result_answer, split};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::json;
use taut_runtime::NullTap;
use taut_schemas::{
    CommandQueueId, DxgiUsage, FenceFlags, FenceId, HResult, ObjectId, SwapChainDesc, SwapChainFlags, SwapChainId,
    SwapChainWindowDesc, SwapEffect, d3d11, d3d12, dxgi, format::Format,
};

/// Parses a swap-chain flag.
pub(super) fn chain_flag(word: &str) -> Option<u32> {
    SwapChainFlags::parse(word).map(|flag| flag.0)
}

impl Dxgi {
    pub(super) fn create(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        Ok(Some(match call {
            "CreateDevice" => match self.queue {
                Some((_, queue)) => result_answer(&Ok(())).giving(queue.0),
                None => created(self.create_d3d11_device(), |device| device.0),
            },
            "CreateSwapChain" => self.create_swap_chain(arguments)?,
            "RefCount" => self.ref_count(on),
            "Release" => {
                let count = self.release(on);
                result_answer(&count).plain("count", count.unwrap_or(u32::MAX))
            }
            "CreateFence" => {
                let (device, initial_value) = (self.device12(), u64::from(arguments.count("value", 0)?));
                let create = d3d12::CreateFence { device, initial_value, flags: FenceFlags::NONE };
                created(self.execute(&create), |fence| fence.0)
            }
            "QueueWait" => {
                let command_queue = CommandQueueId(on);
                let (fence, value) = (FenceId(arguments.object("fence")?), u64::from(arguments.count("value", 0)?));
                let waits = self.execute(&d3d12::CommandQueueWait { command_queue, fence, value });
                let held = self.execute(&dxgi::SimulateQueueWait { command_queue, fence, value });
                result_answer(&waits.and(held))
            }
            "FenceSignal" => {
                let (fence, value) = (FenceId(on), u64::from(arguments.count("value", 0)?));
                let signalled = self.execute(&d3d12::SignalFence { fence, value });
                if let Some((_, command_queue)) = self.queue {
                    let _ = self.execute(&dxgi::SimulateQueueContinue { command_queue });
                }
                result_answer(&signalled)
            }
            _ => return Ok(None),
        }))
    }

    fn device12(&self) -> taut_schemas::DeviceId {
        self.queue.map_or(taut_schemas::DeviceId::NULL, |(device, _)| device)
    }

    fn create_swap_chain(&mut self, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let is_12 = self.queue.is_some();
        let has_desc = !arguments.is_null("desc");
        let (desc, window_desc) = if has_desc { described(arguments, is_12)? } else { Default::default() };
        let create = dxgi::CreateSwapChain {
            device: ObjectId(arguments.object("device")?),
            desc,
            window_desc,
            has_desc,
            want_swap_chain: arguments.bool("out", true)?,
        };
        let returned = self.execute(&create);
        if let Ok(swap_chain) = returned {
            self.effects.insert(swap_chain.0, desc.swap_effect);
            if !arguments.is_named {
                let _ = self.release_chain(swap_chain);
            }
        }
        Ok(created(returned, |chain| Kind::Chain.object(chain.0)))
    }

    fn ref_count(&mut self, on: u64) -> Answer {
        let count: HResult<u32> = match split(on) {
            (Kind::Buffer, _) => {
                let (swap_chain, buffer) = buffer_of(on);
                let more = self.execute(&dxgi::GetBuffer { swap_chain, buffer });
                more.and_then(|_| self.execute(&dxgi::ReleaseBuffer { swap_chain, buffer }))
            }
            // A live swap chain has one reference, the application's.
            (Kind::Chain, _) => self.execute(&dxgi::GetLastPresentCount { swap_chain: chain_of(on) }).map(|_| 1),
            _ => {
                let object = ObjectId(on);
                let more = self.execute(&d3d11::AddRef { object });
                more.and_then(|_| self.execute(&d3d11::Release { object }))
            }
        };
        let count = json!(count.unwrap_or(0));
        Answer { gives: Some(Found::Plain(count.clone())), ..Answer::default() }.plain("count", count)
    }

    pub(super) fn release(&mut self, on: u64) -> HResult<u32> {
        match split(on) {
            (Kind::Chain, number) => self.release_chain(SwapChainId(number)).map(|()| 0),
            (Kind::Buffer, _) => {
                let (swap_chain, buffer) = buffer_of(on);
                self.execute(&dxgi::ReleaseBuffer { swap_chain, buffer })
            }
            (Kind::Direct3d, _) if self.queue.is_none() => self.execute(&d3d11::Release { object: ObjectId(on) }),
            // Fences are the only Direct3D 12 objects to release; enumerated objects are numbers.
            (Kind::Direct3d, _) => self.execute(&d3d12::ReleaseFence { fence: FenceId(on) }).map(|()| 0),
            _ => Ok(0),
        }
    }
}

impl Dxgi {
    /// Releases a swap chain, and its reference to the device.
    fn release_chain(&mut self, swap_chain: SwapChainId) -> HResult<()> {
        let released = self.execute(&dxgi::ReleaseSwapChain { swap_chain });
        self.machine.release_due(&mut NullTap);
        released
    }
}

/// Parses the descriptions of a swap chain.
fn described(arguments: &Arguments<'_>, is_12: bool) -> Result<(SwapChainDesc, SwapChainWindowDesc), String> {
    let (default_effect, default_buffers) =
        if is_12 { (SwapEffect::FLIP_DISCARD, 2) } else { (SwapEffect::DISCARD, 1) };
    let desc = SwapChainDesc {
        width: arguments.count("width", 0)?,
        height: arguments.count("height", 0)?,
        format: arguments.enumerator("format", Some(Format::UNKNOWN), Format::parse, Format)?,
        buffer_count: arguments.count("buffers", default_buffers)?,
        swap_effect: arguments.enumerator("swap_effect", Some(default_effect), SwapEffect::parse, SwapEffect)?,
        flags: SwapChainFlags(arguments.flags("flags", chain_flag)?),
    };
    let refresh = arguments.numbers("refresh")?;
    let part = |place: usize| refresh.get(place).map_or(0, |number| *number as u32);
    let (_, window) = split(arguments.object("window")?);
    let window_desc = SwapChainWindowDesc {
        samples: arguments.count("samples", 1)?,
        usage: DxgiUsage(arguments.flags("usage", |word| DxgiUsage::parse(word).map(|flag| flag.0))?),
        window,
        windowed: arguments.bool("windowed", true)?,
        refresh_numerator: part(0),
        refresh_denominator: part(1),
    };
    Ok((desc, window_desc))
}
