//! Calls for devices, contexts, references and queries.

use super::interface::Interface;
use super::{Direct3d11, Grouped, S_FALSE, created, refused, result_answer};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::{Value, json};
use taut_schemas::{
    CreateDeviceFlags, D3d11ContextId, D3d11ContextStateId, D3d11DeviceId, D3d11Interface, D3d11QueryId, GetDataFlags,
    HResultCode, ObjectId, QueryDesc, QueryType, d3d11,
};

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL: u32 = 0xb000;

/// Default size in bytes of a case's data buffer.
const ANY_BYTES: u32 = 8;

fn create_flag(word: &str) -> Option<u32> {
    (word == "SINGLETHREADED").then_some(CreateDeviceFlags::SINGLETHREADED.0)
}

impl Direct3d11 {
    pub(super) fn device(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let (device, context) = (D3d11DeviceId(on), D3d11ContextId(on));
        Ok(Some(match call {
            "CreateDevice" => self.create_device(arguments)?,
            "GetImmediateContext" => {
                let got = self.execute(&d3d11::GetImmediateContext { device });
                created(got, |context| context.0)
            }
            "CreateDeferredContext" | "CreateDeferredContext1" => {
                let flags = arguments.count("flags", 0)?;
                let returned = self.execute(&d3d11::CreateDeferredContext { device, flags });
                self.devices.extend(returned.ok().map(|context| (context.0, on)));
                created(returned, |context| context.0)
            }
            "GetDeviceRemovedReason" => result_answer(&self.execute(&d3d11::GetDeviceRemovedReason { device })),
            "CreateDeviceContextState" => {
                let (flags, name) = (arguments.count("flags", 0)?, "feature_levels");
                let feature_levels = match arguments.values.get(name) {
                    None => vec![FEATURE_LEVEL],
                    Some(Value::Null) => Vec::new(),
                    Some(_) => arguments.numbers(name)?.into_iter().map(|level| level as u32).collect(),
                };
                let returned = self.execute(&d3d11::CreateDeviceContextState { device, flags, feature_levels });
                let (state, level) =
                    returned.map_or((0, 0), |returned| (returned.state.0, returned.chosen_feature_level));
                created(returned, |returned| returned.state.0)
                    .with("state", Found::Object(state))
                    .plain("selected_level", level)
            }
            "SwapDeviceContextState" => {
                let state = D3d11ContextStateId(arguments.object("state")?);
                let previous = self.execute(&d3d11::SwapDeviceContextState { context, state });
                result_answer(&previous).with("previous", Found::Object(previous.map_or(0, |previous| previous.0)))
            }
            "GetContextFlags" => {
                let flags = self.execute(&d3d11::GetContextFlags { context });
                result_answer(&flags).plain("value", flags.unwrap_or(u32::MAX))
            }
            "CheckFeatureSupport" => {
                let (size_bytes, want_data) = (arguments.count("size_bytes", ANY_BYTES)?, !arguments.is_null("data"));
                let found = self.execute(&d3d11::CheckFeatureSupport { device, size_bytes, want_data });
                match found {
                    Ok(found) => result_answer(&Ok(()))
                        .plain("concurrent_creates", found.driver_concurrent_creates)
                        .plain("command_lists", found.driver_command_lists),
                    Err(code) => result_answer::<()>(&Err(code)).with("data", Found::Unchanged),
                }
            }
            "RefCount" => {
                let object = ObjectId(on);
                let more = self.execute(&d3d11::AddRef { object });
                let count = self.execute(&d3d11::Release { object }).or(more);
                let count = json!(count.unwrap_or(0));
                Answer { gives: Some(Found::Plain(count.clone())), ..Answer::default() }.plain("count", count)
            }
            "Release" => {
                let count = self.execute(&d3d11::Release { object: ObjectId(on) });
                result_answer(&count).plain("count", count.unwrap_or(u32::MAX))
            }
            "QueryInterface" => self.query_interface(on, arguments)?,
            // No call turns the protection on, which is off at first (d3d11_4.h: ID3D11Multithread).
            "GetMultithreadProtected" => Answer::default().plain("value", false),
            _ => return self.query(call, on, arguments),
        }))
    }

    fn query_interface(&mut self, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let interface = arguments.word("interface", None, Interface::parse)?;
        if !self.has_interface(on, interface) {
            return refused("E_NOINTERFACE");
        }
        let interface = match interface {
            Interface::Predicate => D3d11Interface::PREDICATE,
            _ => D3d11Interface::UNKNOWN,
        };
        let got = self.execute(&d3d11::QueryInterface { object: ObjectId(on), interface });
        Ok(created(got, |object| object.0))
    }

    fn create_device(&mut self, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let flags = CreateDeviceFlags(arguments.flags("flags", create_flag)?);
        let create = d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, flags, ..Default::default() };
        let returned = self.execute(&create);
        if let Ok(returned) = returned {
            // The step returns the device only.
            let _ = self.execute(&d3d11::Release { object: returned.immediate_context.into() });
            self.immediate.insert(returned.device.0, returned.immediate_context.0);
        }
        Ok(created(returned, |returned| returned.device.0))
    }

    fn query(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let context = D3d11ContextId(on);
        Ok(Some(match call {
            "CreateQuery" | "CreatePredicate" => {
                // A call without a description or an output parameter cannot be in a trace.
                if arguments.is_null("desc") {
                    return refused("E_INVALIDARG").map(Some);
                }
                let desc = QueryDesc {
                    query: arguments.enumerator("query", None, QueryType::parse, QueryType)?,
                    misc_flags: 0,
                };
                let (device, is_predicate) = (D3d11DeviceId(on), call == "CreatePredicate");
                let returned = self.execute(&d3d11::CreateQuery { device, desc, is_predicate });
                self.queries.extend(returned.ok().map(|query| (query.0, desc.query)));
                match returned {
                    Ok(query) if !arguments.bool("out", true)? => {
                        let _ = self.execute(&d3d11::Release { object: query.into() });
                        return refused(S_FALSE).map(Some);
                    }
                    returned => created(returned, |query| query.0),
                }
            }
            "Begin" | "End" => {
                let query = D3d11QueryId(arguments.object("query")?);
                match call {
                    "Begin" => result_answer(&self.execute(&d3d11::Begin { context, query })),
                    _ => result_answer(&self.execute(&d3d11::End { context, query })),
                }
            }
            "GetData" => {
                let query = D3d11QueryId(arguments.object("query")?);
                let (size_bytes, want_data) = (arguments.count("size_bytes", 0)?, !arguments.is_null("data"));
                let flags = GetDataFlags::NONE;
                let found = self.execute(&d3d11::GetData { context, query, size_bytes, want_data, flags });
                let is_written = found.as_ref().is_ok_and(|data| !data.0.is_empty());
                let data = if is_written { Found::Plain(json!("written")) } else { Found::Unchanged };
                result_answer(&found).with("data", data)
            }
            "GetDataWaiting" => {
                let query = D3d11QueryId(arguments.object("query")?);
                let size_bytes = self.queries.get(&query.0).map_or(0, |query| query.data_bytes());
                let get_data =
                    d3d11::GetData { context, query, size_bytes, want_data: true, flags: GetDataFlags::NONE };
                let mut found = self.execute(&get_data);
                // The first call flushes the query's commands.
                if found == Err(HResultCode::S_FALSE) {
                    found = self.execute(&get_data);
                }
                let answer = result_answer(&found);
                let mut bytes = [0; 8];
                for (to, from) in bytes.iter_mut().zip(found.map_or(Vec::new(), |data| data.0)) {
                    *to = from;
                }
                answer.plain("value", u64::from_le_bytes(bytes))
            }
            _ => return Ok(None),
        }))
    }
}
