//! Calls for full screen, adapters, outputs and features.

use super::{Dxgi, Grouped, Kind, chain_of, created, result_answer, split, valued};
use crate::cases::arguments::Arguments;
use crate::cases::found::Found;
use serde_json::json;
use taut_schemas::{DxgiFeature, dxgi};

impl Dxgi {
    pub(super) fn outputs(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let swap_chain = chain_of(on);
        let (_, number) = split(on);
        Ok(Some(match call {
            "GetFullscreenState" => {
                let want_target = arguments.bool("out_target", true)?;
                let got = self.execute(&dxgi::GetFullscreenState { swap_chain, want_target });
                let answer = result_answer(&got);
                let Ok(got) = got else { return Ok(Some(answer)) };
                let target = Kind::Output.object(got.target);
                answer.plain("fullscreen", got.fullscreen).with("target", Found::Object(target)).giving(target)
            }
            "SetFullscreenState" => {
                let fullscreen = arguments.bool("fullscreen", false)?;
                result_answer(&self.execute(&dxgi::SetFullscreenState { swap_chain, fullscreen }))
            }
            "ReleaseOwnership" => result_answer(&self.execute(&dxgi::ReleaseOwnership { output: number })),
            "EnumAdapters" => {
                let index = arguments.count("index", 0)?;
                created(self.execute(&dxgi::EnumAdapters { index }), |found| Kind::Adapter.object(found.object))
            }
            "EnumOutputs" => {
                let index = arguments.count("index", 0)?;
                let found = self.execute(&dxgi::EnumOutputs { object: number, index });
                created(found, |output| Kind::Output.object(output))
            }
            "CheckFeatureSupport" => {
                let feature = arguments.enumerator("feature", None, DxgiFeature::parse, DxgiFeature)?;
                let size_bytes = arguments.count("size_bytes", 4)?;
                let found = self.execute(&dxgi::CheckDxgiFeatureSupport { feature, size_bytes });
                valued(found, "value", |found| Found::Plain(json!(found)))
            }
            _ => return Ok(None),
        }))
    }
}
