//! Calls for swap chains: descriptions, presents, resizing.

use super::buffers::usage_words;
use super::create::chain_flag;
use super::{Dxgi, Grouped, Kind, chain_of, result_answer, valued};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::json;
use taut_schemas::{
    ColorSpace, ColorSpaceSupport, CommandQueueId, HResultCode, PresentFlags, SwapChainFlags, SwapChainId, dxgi,
    format::Format,
};

/// Returns an empty list for a null argument.
fn or_none<T>(list: Result<Vec<T>, String>, is_null: bool) -> Result<Vec<T>, String> {
    if is_null { Ok(Vec::new()) } else { list }
}

impl Dxgi {
    pub(super) fn chain(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let swap_chain = chain_of(on);
        Ok(Some(match call {
            "GetDesc" | "GetDesc1" | "GetFullscreenDesc" => self.desc(call, swap_chain, arguments.bool("out", true)?),
            "GetHwnd" => {
                let got = self.execute(&dxgi::GetHwnd { swap_chain });
                super::created(got, |window| Kind::Window.object(window))
            }
            "ResizeBuffers" | "ResizeBuffers1" => self.resize(call, swap_chain, arguments)?,
            "Present" => {
                let sync_interval = arguments.count("interval", 0)?;
                let flags = PresentFlags(arguments.flags("flags", |word| PresentFlags::parse(word).map(|f| f.0))?);
                self.present(swap_chain, sync_interval, flags)
            }
            "GetCurrentBackBufferIndex" => {
                let got = self.execute(&dxgi::GetCurrentBackBufferIndex { swap_chain });
                valued(got, "value", |index| Found::Plain(json!(index)))
            }
            "GetLastPresentCount" => {
                let got = self.execute(&dxgi::GetLastPresentCount { swap_chain });
                let gives = got.ok().map(|count| Found::Plain(json!(count)));
                Answer { gives, ..valued(got, "count", |count| Found::Plain(json!(count))) }
            }
            "CheckColorSpaceSupport" => {
                let color_space = arguments.enumerator("space", None, ColorSpace::parse, ColorSpace)?;
                let got = self.execute(&dxgi::CheckColorSpaceSupport { swap_chain, color_space });
                valued(got, "present", |support| Found::Plain(json!(support == ColorSpaceSupport::PRESENT)))
            }
            "SetColorSpace1" => {
                let color_space = arguments.enumerator("space", None, ColorSpace::parse, ColorSpace)?;
                result_answer(&self.execute(&dxgi::SetColorSpace1 { swap_chain, color_space }))
            }
            _ => return Ok(None),
        }))
    }

    fn desc(&mut self, call: &str, swap_chain: SwapChainId, want_desc: bool) -> Answer {
        match call {
            "GetDesc1" => {
                let got = self.execute(&dxgi::GetSwapChainDesc1 { swap_chain, want_desc });
                let answer = result_answer(&got);
                let Ok(got) = got else { return answer };
                answer
                    .plain("stereo", got.stereo)
                    .plain("scaling", format!("{:?}", got.scaling))
                    .plain("alpha_mode", format!("{:?}", got.alpha_mode))
            }
            "GetFullscreenDesc" => {
                let got = self.execute(&dxgi::GetFullscreenDesc { swap_chain, want_desc });
                valued(got, "windowed", |windowed| Found::Plain(json!(windowed)))
            }
            _ => {
                let got = self.execute(&dxgi::GetSwapChainDesc { swap_chain, want_desc });
                let answer = result_answer(&got);
                let Ok(got) = got else { return answer };
                let (desc, window_desc) = (got.desc, got.window_desc);
                let is_as_created = self.effects.get(&swap_chain.0) == Some(&desc.swap_effect);
                let effect = json!(format!("{:?}", desc.swap_effect));
                let effect = if is_as_created { Found::AsCreated(effect) } else { Found::Plain(effect) };
                answer
                    .plain("width", desc.width)
                    .plain("height", desc.height)
                    .plain("format", format!("{:?}", desc.format))
                    .plain("buffers", desc.buffer_count)
                    .plain("refresh", json!([window_desc.refresh_numerator, window_desc.refresh_denominator]))
                    .plain("windowed", window_desc.windowed)
                    .with("usage", Found::Set(usage_words(window_desc.usage)))
                    .with("swap_effect", effect)
            }
        }
    }

    fn resize(&mut self, call: &str, swap_chain: SwapChainId, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let (buffer_count, width) = (arguments.count("buffers", 0)?, arguments.count("width", 0)?);
        let height = arguments.count("height", 0)?;
        let format = arguments.enumerator("format", Some(Format::UNKNOWN), Format::parse, Format)?;
        let flags = SwapChainFlags(arguments.flags("flags", chain_flag)?);
        if call == "ResizeBuffers" {
            let resize = dxgi::ResizeBuffers { swap_chain, buffer_count, width, height, format, flags };
            return Ok(result_answer(&self.execute(&resize)));
        }
        let node_masks = or_none(arguments.numbers("node_masks"), arguments.is_null("node_masks"))?;
        let node_masks = node_masks.into_iter().map(|mask| mask as u32).collect();
        let has_queues = arguments.values.contains_key("queues") && !arguments.is_null("queues");
        let queues = if has_queues { arguments.objects("queues")? } else { Vec::new() };
        let queues = queues.into_iter().map(CommandQueueId).collect();
        let resize =
            dxgi::ResizeBuffers1 { swap_chain, buffer_count, width, height, format, flags, node_masks, queues };
        Ok(result_answer(&self.execute(&resize)))
    }

    /// Presents and waits for the end of the present.
    fn present(&mut self, swap_chain: SwapChainId, sync_interval: u32, flags: PresentFlags) -> Answer {
        let begun = self.execute(&dxgi::Present1 { swap_chain, sync_interval, flags });
        if begun.is_ok() && !flags.contains(PresentFlags::TEST) {
            let is_blocked = |end: &Result<u64, HResultCode>| *end == Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING);
            let mut end = self.execute(&dxgi::FinishPresent1 { swap_chain });
            while is_blocked(&end) {
                let Some(next) = self.next_event_ns() else { break };
                self.advance(next);
                end = self.execute(&dxgi::FinishPresent1 { swap_chain });
            }
        }
        result_answer(&begun)
    }
}
