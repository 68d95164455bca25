//! Frame latency and waitable objects.

use super::{Dxgi, Grouped, Kind, answered, chain_of, split, valued};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::json;
use taut_schemas::{D3d11DeviceId, HResult, HResultCode, SwapChainId, WaitStatus, dxgi};

const NS_PER_MS: u64 = 1_000_000;

impl Dxgi {
    pub(super) fn latency(&mut self, (call, on): (&str, u64), arguments: &Arguments<'_>) -> Grouped {
        let (kind, number) = split(on);
        let (device, swap_chain) = (D3d11DeviceId(on), chain_of(on));
        Ok(Some(match call {
            "GetMaximumFrameLatency" => {
                if !arguments.bool("out", true)? {
                    // No place for the answer is no call that a trace could hold.
                    return Ok(Some(
                        Answer::default().plain("hr", format!("{:?}", HResultCode::DXGI_ERROR_INVALID_CALL)),
                    ));
                }
                let found = match kind {
                    Kind::Chain => self.made(&dxgi::GetMaximumFrameLatency { swap_chain }),
                    _ => self.made(&dxgi::GetDeviceMaximumFrameLatency { device }),
                };
                valued(found, "value", |latency| Found::Plain(json!(latency)))
            }
            "SetMaximumFrameLatency" => {
                let latency = arguments.count("value", 0)?;
                answered(&match kind {
                    Kind::Chain => self.made(&dxgi::SetMaximumFrameLatency { swap_chain, latency }),
                    _ => self.made(&dxgi::SetDeviceMaximumFrameLatency { device, latency }),
                })
            }
            "GetFrameLatencyWaitableObject" => self.waitable(swap_chain),
            "WaitForSingleObject" => {
                let timeout_ms = arguments.count("timeout_ms", u32::MAX)?;
                let wait = self.wait(number, timeout_ms);
                answered(&wait).plain("wait", format!("WAIT_{:?}", wait.unwrap_or(WaitStatus::FAILED)))
            }
            "CloseHandle" => {
                let closed = self.made(&dxgi::CloseFrameLatencyWaitableObject { handle: number });
                answered(&closed).plain("ok", closed.is_ok())
            }
            _ => return Ok(None),
        }))
    }

    fn waitable(&mut self, swap_chain: SwapChainId) -> Answer {
        let got = self.made(&dxgi::GetFrameLatencyWaitableObject { swap_chain });
        let handle = Kind::Waitable.object(got.unwrap_or(0));
        answered(&got).with("handle", Found::Object(handle)).giving(handle)
    }

    /// A wait from its beginning to its end: the simulation goes on meanwhile.
    fn wait(&mut self, handle: u64, timeout_ms: u32) -> HResult<WaitStatus> {
        let until_ns = self.now_ns.saturating_add(u64::from(timeout_ms) * NS_PER_MS);
        let mut status = self.made(&dxgi::BeginWaitForFrameLatency { handle, timeout_ms });
        while status == Ok(WaitStatus::PENDING) || status == Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING) {
            let next = self.next_at_ns().filter(|next| *next < until_ns);
            self.advance(next.unwrap_or(until_ns));
            status = self.made(&dxgi::FinishWaitForFrameLatency { handle });
        }
        status
    }
}
