//! Change of the machine that a recording describes.

use super::call_arguments::edit_as;
use taut_runtime::MachineProfile;
use taut_schemas::{AdapterId, AdapterParts, Call, CodecError, DisplayMode, machine};

/// Other hardware for the recorded inputs that describe the machine.
///
/// Size and refresh rate of a display are those of the workload or capture, so they stay as recorded. A display takes
/// the adapter and the rotation of the other machine's display at the same position, or of its last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineChange {
    description: machine::DescribeMachine,
    adapters: Vec<AdapterParts>,
    panels: Vec<Panel>,
    /// Number of displays connected so far.
    connected: usize,
}

/// Place of a display in the other machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Panel {
    adapter: AdapterId,
    rotation_degrees: u32,
}

impl From<&MachineProfile> for MachineChange {
    fn from(machine: &MachineProfile) -> MachineChange {
        let panels = machine.displays.iter().map(|display| Panel {
            adapter: machine.adapter_id(&display.adapter),
            rotation_degrees: display.rotation_degrees,
        });
        MachineChange {
            description: machine.description(),
            adapters: machine.adapters.iter().map(|adapter| machine.parts(adapter)).collect(),
            panels: panels.collect(),
            connected: 0,
        }
    }
}

impl MachineChange {
    /// Returns the changed start row of an input that describes the machine; `None` for other calls.
    pub(super) fn rewritten(&mut self, id: u16, row: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        let MachineChange { description, adapters, panels, connected } = self;
        match id {
            machine::DescribeMachine::ID => {
                edit_as::<machine::DescribeMachine>(row, &mut |call| *call = description.clone()).map(Some)
            }
            machine::DescribeAdapter::ID => edit_as::<machine::DescribeAdapter>(row, &mut |call| {
                let place = call.adapter.0.checked_sub(1).map(|place| place as usize);
                if let Some(parts) = place.and_then(|place| adapters.get(place)) {
                    call.parts = *parts;
                }
            })
            .map(Some),
            machine::ConnectDisplay::ID => edit_as::<machine::ConnectDisplay>(row, &mut |call| {
                if let Some(panel) = panels.get(*connected).or(panels.last()) {
                    call.adapter = panel.adapter;
                    call.mode = panel.rotated(call.mode);
                }
                *connected += 1;
            })
            .map(Some),
            _ => Ok(None),
        }
    }
}

impl Panel {
    /// Returns a mode of the same size in the viewer's orientation, on this panel.
    fn rotated(self, mode: DisplayMode) -> DisplayMode {
        let is_turned = |degrees: u32| degrees % 180 == 90;
        let (width, height) = match is_turned(mode.rotation_degrees) == is_turned(self.rotation_degrees) {
            true => (mode.width, mode.height),
            false => (mode.height, mode.width),
        };
        DisplayMode { width, height, rotation_degrees: self.rotation_degrees, ..mode }
    }
}
