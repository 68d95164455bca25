//! Calls that bind objects and query bindings.

use super::{Direct3d11, Grouped, objects, result_answer};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use taut_schemas::{
    D3d11ContextId, D3d11QueryId, D3d11ResourceId, D3d11StateId, D3d11ViewId, D3d11Viewport, ShaderStage, d3d11,
};

/// Parses the two letters of a stage in function names.
fn stage(word: &str) -> Option<ShaderStage> {
    let stages = ["VS", "HS", "DS", "GS", "PS", "CS"];
    stages.iter().position(|name| *name == word).map(|place| ShaderStage(place as u32))
}

impl Direct3d11 {
    pub(super) fn bindings(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let context = D3d11ContextId(on);
        let start_slot = arguments.count("slot", 0)?;
        let set = match call {
            "SetConstantBuffers" => {
                let (stage, found) = (arguments.word("stage", None, stage)?, arguments.objects("buffers")?);
                let buffers = found.into_iter().map(D3d11ResourceId).collect();
                self.execute(&d3d11::SetConstantBuffers { context, stage, start_slot, buffers })
            }
            "SetShaderResources" => {
                let (stage, found) = (arguments.word("stage", None, stage)?, arguments.objects("views")?);
                let views = found.into_iter().map(D3d11ViewId).collect();
                self.execute(&d3d11::SetShaderResources { context, stage, start_slot, views })
            }
            "SetSamplers" => {
                let (stage, found) = (arguments.word("stage", None, stage)?, arguments.objects("samplers")?);
                let samplers = found.into_iter().map(D3d11StateId).collect();
                self.execute(&d3d11::SetSamplers { context, stage, start_slot, samplers })
            }
            "SetRenderTargets" => {
                let render_targets = arguments.objects("views")?.into_iter().map(D3d11ViewId).collect();
                let depth_stencil = D3d11ViewId::NULL;
                self.execute(&d3d11::OMSetRenderTargets { context, render_targets, depth_stencil })
            }
            "SetBlendState" => {
                let factor = arguments.numbers("factor")?;
                let blend_factor = factor.into_iter().map(|channel| (channel as f32).to_bits()).collect();
                let (blend_state, sample_mask) =
                    (D3d11StateId(arguments.object("state")?), arguments.count("sample_mask", u32::MAX)?);
                self.execute(&d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask })
            }
            "SetRasterizerState" => {
                let rasterizer_state = D3d11StateId(arguments.object("state")?);
                self.execute(&d3d11::RSSetState { context, rasterizer_state })
            }
            "SetViewports" => {
                let rows = arguments.rows("viewports")?;
                let viewports = rows.iter().filter_map(|row| viewport(row)).collect();
                self.execute(&d3d11::RSSetViewports { context, viewports })
            }
            "SetPredication" => {
                let predicate = D3d11QueryId(arguments.object("predicate")?);
                self.execute(&d3d11::SetPredication { context, predicate, value: arguments.bool("value", false)? })
            }
            "ClearState" => self.execute(&d3d11::ClearState { context }),
            "Flush" => self.execute(&d3d11::Flush { context }),
            _ => return Ok(None),
        };
        Ok(Some(result_answer(&set)))
    }

    pub(super) fn binding_queries(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let context = D3d11ContextId(on);
        let (start_slot, count) = (arguments.count("slot", 0)?, arguments.count("count", 1)?);
        let object = |found: u64| Answer::default().giving(found).with("object", Found::Object(found));
        Ok(Some(match call {
            "GetConstantBuffers" => {
                let stage = arguments.word("stage", None, stage)?;
                let found = self.execute(&d3d11::GetConstantBuffers { context, stage, start_slot, count });
                objects(found.unwrap_or_default().iter().map(|buffer| buffer.0).collect())
            }
            "GetShaderResources" => {
                let stage = arguments.word("stage", None, stage)?;
                let found = self.execute(&d3d11::GetShaderResources { context, stage, start_slot, count });
                objects(found.unwrap_or_default().iter().map(|view| view.0).collect())
            }
            "GetSamplers" => {
                let stage = arguments.word("stage", None, stage)?;
                let found = self.execute(&d3d11::GetSamplers { context, stage, start_slot, count });
                objects(found.unwrap_or_default().iter().map(|sampler| sampler.0).collect())
            }
            "GetShader" => {
                let stage = arguments.word("stage", None, stage)?;
                let found = self.execute(&d3d11::GetShader { context, stage });
                // The runtime has no class instances.
                object(found.unwrap_or_default().0).plain("instances", 0)
            }
            "GetRenderTargets" => {
                let found = self.execute(&d3d11::OMGetRenderTargets { context, count }).unwrap_or_default();
                let answer = objects(found.render_targets.iter().map(|view| view.0).collect());
                answer.with("depth", Found::Object(found.depth_stencil.0))
            }
            "GetBlendState" => {
                let found = self.execute(&d3d11::OMGetBlendState { context }).unwrap_or_default();
                let factor: Vec<f32> = match found.blend_factor.len() {
                    0 => vec![1.0; 4],
                    _ => found.blend_factor.iter().map(|bits| f32::from_bits(*bits)).collect(),
                };
                object(found.blend_state.0).plain("factor", factor).plain("sample_mask", found.sample_mask)
            }
            "GetDepthStencilState" => {
                let found = self.execute(&d3d11::OMGetDepthStencilState { context }).unwrap_or_default();
                object(found.depth_stencil_state.0).plain("stencil_ref", found.stencil_ref)
            }
            "GetRasterizerState" => object(self.execute(&d3d11::RSGetState { context }).unwrap_or_default().0),
            "GetViewports" => {
                let found = self.execute(&d3d11::RSGetViewports { context }).unwrap_or_default();
                Answer::default().plain("count", found.len())
            }
            "GetScissorRects" => {
                let found = self.execute(&d3d11::RSGetScissorRects { context }).unwrap_or_default();
                Answer::default().plain("count", found.len())
            }
            "GetIndexBuffer" => {
                let found = self.execute(&d3d11::IAGetIndexBuffer { context }).unwrap_or_default();
                let answer = object(found.buffer.0).plain("format", format!("{:?}", found.format));
                answer.plain("offset", found.offset_bytes)
            }
            "GetPrimitiveTopology" => {
                let found = self.execute(&d3d11::IAGetPrimitiveTopology { context }).unwrap_or_default();
                Answer::default().plain("value", format!("{found:?}"))
            }
            "GetPredication" => {
                let found = self.execute(&d3d11::GetPredication { context }).unwrap_or_default();
                object(found.predicate.0).plain("value", found.value)
            }
            _ => return Ok(None),
        }))
    }
}

fn viewport(row: &[f64]) -> Option<D3d11Viewport> {
    let bits: Vec<u32> = row.iter().map(|number| (*number as f32).to_bits()).collect();
    let [top_left_x, top_left_y, width, height, min_depth, max_depth] = bits[..] else { return None };
    Some(D3d11Viewport { top_left_x, top_left_y, width, height, min_depth, max_depth })
}
