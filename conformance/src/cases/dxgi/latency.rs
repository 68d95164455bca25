//! Calls for frame latency and waitable objects.

use super::{Dxgi, Grouped, Kind, chain_of, result_answer, split, valued};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::json;
use taut_schemas::{D3d11DeviceId, HResult, HResultCode, SwapChainId, WaitStatus, dxgi};

const NS_PER_MS: u64 = 1_000_000;

impl Dxgi {
    pub(super) fn latency(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let (kind, number) = split(on);
        let (device, swap_chain) = (D3d11DeviceId(on), chain_of(on));
        Ok(Some(match call {
            "GetMaximumFrameLatency" => {
                if !arguments.bool("out", true)? {
                    // A call without an output parameter cannot be in a trace.
                    return Ok(Some(
                        Answer::default().plain("hr", format!("{:?}", HResultCode::DXGI_ERROR_INVALID_CALL)),
                    ));
                }
                let found = match kind {
                    Kind::Chain => self.execute(&dxgi::GetMaximumFrameLatency { swap_chain }),
                    _ => self.execute(&dxgi::GetDeviceMaximumFrameLatency { device }),
                };
                valued(found, "value", |latency| Found::Plain(json!(latency)))
            }
            "SetMaximumFrameLatency" => {
                let latency = arguments.count("value", 0)?;
                result_answer(&match kind {
                    Kind::Chain => self.execute(&dxgi::SetMaximumFrameLatency { swap_chain, latency }),
                    _ => self.execute(&dxgi::SetDeviceMaximumFrameLatency { device, latency }),
                })
            }
            "GetFrameLatencyWaitableObject" => self.waitable(swap_chain),
            "WaitForSingleObject" => {
                let timeout_ms = arguments.count("timeout_ms", u32::MAX)?;
                let wait = self.wait(number, timeout_ms);
                result_answer(&wait).plain("wait", format!("WAIT_{:?}", wait.unwrap_or(WaitStatus::FAILED)))
            }
            "CloseHandle" => {
                let closed = self.execute(&dxgi::CloseFrameLatencyWaitableObject { handle: number });
                result_answer(&closed).plain("ok", closed.is_ok())
            }
            _ => return Ok(None),
        }))
    }

    fn waitable(&mut self, swap_chain: SwapChainId) -> Answer {
        let got = self.execute(&dxgi::GetFrameLatencyWaitableObject { swap_chain });
        let handle = Kind::Waitable.object(got.unwrap_or(0));
        result_answer(&got).with("handle", Found::Object(handle)).giving(handle)
    }

    /// Waits to the end, while the simulation advances.
    fn wait(&mut self, handle: u64, timeout_ms: u32) -> HResult<WaitStatus> {
        let until_ns = self.now_ns.saturating_add(u64::from(timeout_ms) * NS_PER_MS);
        let mut status = self.execute(&dxgi::BeginWaitForFrameLatency { handle, timeout_ms });
        while status == Ok(WaitStatus::PENDING) || status == Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) {
            let next = self.next_event_ns().filter(|next| *next < until_ns);
            self.advance(next.unwrap_or(until_ns));
            status = self.execute(&dxgi::FinishWaitForFrameLatency { handle });
        }
        status
    }
}
