//! Calls for back buffers.

use super::{Dxgi, Grouped, INDEX_BITS, Kind, buffer_of, chain_of, result_answer};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use taut_schemas::{BufferViewKind, DxgiUsage, dxgi, format::Format};

/// Returns the words of usage flags.
pub(super) fn usage_words(usage: DxgiUsage) -> Vec<String> {
    let words = DxgiUsage::NAMES.iter().filter(|(bit, _)| *bit != 0 && usage.0 & bit != 0);
    words.map(|(_, word)| (*word).to_owned()).collect()
}

/// Returns the words of the bind flags that a usage implies.
fn bind_words(usage: DxgiUsage) -> Vec<String> {
    let binds = [
        (DxgiUsage::RENDER_TARGET_OUTPUT, "RENDER_TARGET"),
        (DxgiUsage::SHADER_INPUT, "SHADER_RESOURCE"),
        (DxgiUsage::UNORDERED_ACCESS, "UNORDERED_ACCESS"),
    ];
    binds.into_iter().filter(|(bit, _)| usage.contains(*bit)).map(|(_, word)| word.to_owned()).collect()
}

impl Dxgi {
    pub(super) fn buffers(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        Ok(Some(match call {
            "GetBuffer" => self.get_buffer(on, arguments)?,
            "ClearBuffer" => {
                let (swap_chain, buffer) = buffer_of(on);
                let rgba = arguments.numbers("rgba")?;
                let color = rgba.iter().map(|channel| (*channel as f32).to_bits()).collect();
                result_answer(&self.execute(&dxgi::FillBuffer { swap_chain, buffer, color }))
            }
            "ReadPixel" => {
                let (swap_chain, buffer) = buffer_of(on);
                // A buffer has a single colour, so the position does not matter.
                let (_, _) = (arguments.count("x", 0)?, arguments.count("y", 0)?);
                let found = self.execute(&dxgi::ReadBuffer { swap_chain, buffer });
                let answer = result_answer(&found);
                match <[u32; 4]>::try_from(found.unwrap_or_default()) {
                    Ok(color) => answer.with("rgba", Found::Colour(color.map(f32::from_bits))),
                    Err(_) => answer.plain("rgba", "undefined"),
                }
            }
            "CreateRenderTargetView" | "CreateShaderResourceView" => {
                let (swap_chain, buffer) = buffer_of(arguments.object("resource")?);
                let kind = match call {
                    "CreateRenderTargetView" => BufferViewKind::RENDER_TARGET,
                    _ => BufferViewKind::SHADER_RESOURCE,
                };
                let format = arguments.enumerator("format", Some(Format::UNKNOWN), Format::parse, Format)?;
                result_answer(&self.execute(&dxgi::CreateBufferView { swap_chain, buffer, kind, format }))
            }
            _ => return Ok(None),
        }))
    }

    fn get_buffer(&mut self, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let (swap_chain, buffer) = (chain_of(on), arguments.count("index", 0)?);
        let got = self.execute(&dxgi::GetBuffer { swap_chain, buffer });
        let answer = result_answer(&got);
        let Ok(got) = got else { return Ok(answer.giving(0)) };
        if !arguments.is_named {
            let _ = self.execute(&dxgi::ReleaseBuffer { swap_chain, buffer });
        }
        Ok(answer
            .plain("width", got.width)
            .plain("height", got.height)
            .plain("format", format!("{:?}", got.format))
            .with("usage", Found::Set(usage_words(got.usage)))
            .with("usage_has", Found::Superset(usage_words(got.usage)))
            .with("bind", Found::Set(bind_words(got.usage)))
            .giving(Kind::Buffer.object(swap_chain.0 << INDEX_BITS | u64::from(buffer))))
    }
}
