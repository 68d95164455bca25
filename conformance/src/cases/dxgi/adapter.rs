//! Queries about the adapter: D3DKMTQueryAdapterInfo, and the driver's list of applications.

use super::{Dxgi, Grouped, Kind, created, result_answer};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::json;
use taut_schemas::{AdapterId, DriverCall, HResult, KmtQueryAdapterInfoType, QueriedDList, d3dkmt, dxgi_ddi, machine};

impl Dxgi {
    pub(super) fn adapter(&mut self, call: &str, _: u64, arguments: &Arguments<'_>) -> Grouped {
        Ok(Some(match call {
            "D3DKMTQueryAdapterInfo" => {
                let parse = KmtQueryAdapterInfoType::parse;
                let info_type = arguments.enumerator("type", None, parse, KmtQueryAdapterInfoType)?;
                let private_driver_data_size_bytes = arguments.count("size_bytes", 4)?;
                let adapter = AdapterId(arguments.count("adapter", 1)?.into());
                let query = d3dkmt::D3DKMTQueryAdapterInfo { adapter, info_type, private_driver_data_size_bytes };
                let found = self.execute(&query);
                let word = found.private_driver_data.0.first_chunk().map(|word| u32::from_le_bytes(*word));
                let answer = Answer::default().plain("status", format!("{:?}", found.status));
                match word {
                    Some(word) => answer.plain("value", word),
                    None => answer.with("data", Found::Unchanged),
                }
            }
            "StartApplication" => {
                let application = arguments.text("application", "game.exe")?;
                let started = self.execute(&machine::StartApplication { application });
                let number = started.map_or(0, |adapter| adapter.0);
                created(started, |adapter| Kind::Adapter.object(adapter.0)).plain("adapter", number)
            }
            "QueryDListForApplication2" => {
                let application = arguments.text("application", "game.exe")?;
                if self.driver.dxgi_ddi().is_none() {
                    return Err("the driver has no QueryDListForApplication2".to_owned());
                }
                let query = dxgi_ddi::QueryDListForApplication2 { adapter: AdapterId::FIRST, application };
                let found: HResult<QueriedDList> = query.dispatch(&*self.driver);
                let answer = result_answer(&found);
                let Ok(found) = found else { return Ok(Some(answer)) };
                answer
                    .plain("result", format!("{:?}", found.result))
                    .plain("decision_factor", format!("{:?}", found.decision_factor))
                    .plain("library_bytes", json!(found.library_bytes))
                    .plain("elapsed_ns", json!(found.elapsed_ns))
            }
            _ => return Ok(None),
        }))
    }
}
