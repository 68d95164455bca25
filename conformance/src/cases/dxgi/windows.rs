//! Calls for windows and simulated time.

use super::{Dxgi, Grouped, Kind, created, result_answer, split};
use crate::cases::arguments::Arguments;
use crate::cases::found::Answer;
use taut_schemas::{WindowState, dxgi};

/// Default client area of a window.
const ANY_CLIENT: (u32, u32) = (640, 480);

impl Dxgi {
    pub(super) fn windows(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        Ok(Some(match call {
            "CreateWindow" => {
                let client_width = arguments.count("client_width", ANY_CLIENT.0)?;
                let client_height = arguments.count("client_height", ANY_CLIENT.1)?;
                // The position of a window affects nothing that can be queried.
                arguments.word("order", Some(()), |word| ["bottom", "top"].contains(&word).then_some(()))?;
                let state = if arguments.bool("visible", true)? { WindowState::NONE } else { WindowState::HIDDEN };
                let returned = self.execute(&dxgi::CreateWindow { client_width, client_height, display: 0, state });
                self.windows.extend(returned.ok().map(|number| (number, (client_width, client_height))));
                created(returned, |number| Kind::Window.object(number))
            }
            "SetWindow" => {
                let (_, window) = split(on);
                let mut state = WindowState::NONE;
                for (name, flag) in [
                    ("covered", WindowState::COVERED),
                    ("minimised", WindowState::MINIMISED),
                    ("hidden", WindowState::HIDDEN),
                ] {
                    if arguments.bool(name, false)? {
                        state = state | flag;
                    }
                }
                let (client_width, client_height) = self.windows.get(&window).copied().unwrap_or(ANY_CLIENT);
                result_answer(&self.execute(&dxgi::SetWindow {
                    window,
                    client_width,
                    client_height,
                    display: 0,
                    state,
                }))
            }
            "UntilShown" => {
                while let Some(next) = self.next_event_ns() {
                    self.advance(next);
                }
                Answer::default()
            }
            _ => return Ok(None),
        }))
    }
}
