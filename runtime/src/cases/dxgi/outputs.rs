//! Full screen, adapters, outputs, features.

use super::{Dxgi, Grouped, Kind, answered, chain_of, created, split, valued};
use crate::cases::arguments::Arguments;
use crate::cases::found::Found;
use serde_json::json;
use taut_schemas::{DxgiFeature, dxgi};

impl Dxgi {
    pub(super) fn outputs(&mut self, (call, on): (&str, u64), arguments: &Arguments<'_>) -> Grouped {
        let swap_chain = chain_of(on);
        let (_, number) = split(on);
        Ok(Some(match call {
            "GetFullscreenState" => {
                let want_target = arguments.bool("out_target", true)?;
                let got = self.made(&dxgi::GetFullscreenState { swap_chain, want_target });
                let answer = answered(&got);
                let Ok(got) = got else { return Ok(Some(answer)) };
                let target = Kind::Output.object(got.target);
                answer.plain("fullscreen", got.fullscreen).with("target", Found::Object(target)).giving(target)
            }
            "SetFullscreenState" => {
                let fullscreen = arguments.bool("fullscreen", false)?;
                answered(&self.made(&dxgi::SetFullscreenState { swap_chain, fullscreen }))
            }
            "ReleaseOwnership" => answered(&self.made(&dxgi::ReleaseOwnership { output: number })),
            "EnumAdapters" => {
                let index = arguments.count("index", 0)?;
                created(self.made(&dxgi::EnumAdapters { index }), |found| Kind::Adapter.object(found.object))
            }
            "EnumOutputs" => {
                let index = arguments.count("index", 0)?;
                let found = self.made(&dxgi::EnumOutputs { object: number, index });
                created(found, |output| Kind::Output.object(output))
            }
            "CheckFeatureSupport" => {
                let is_number = arguments.given.get("feature").is_some_and(serde_json::Value::is_number);
                let feature = match is_number {
                    true => DxgiFeature(arguments.count("feature", 0)?),
                    false => arguments.word("feature", None, DxgiFeature::parse)?,
                };
                let size_bytes = arguments.count("size_bytes", 4)?;
                let found = self.made(&dxgi::CheckDxgiFeatureSupport { feature, size_bytes });
                valued(found, "value", |found| Found::Plain(json!(found)))
            }
            _ => return Ok(None),
        }))
    }
}
