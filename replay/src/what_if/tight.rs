//! Changes of the tight alignment flag.

use std::str::FromStr;
use taut_schemas::{AllocationInfo, ResourceDesc, ResourceFlags};
use thiserror::Error;

/// Change of `D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tight {
    /// Every resource for which the flag is legal gets it. An `Alignment` equal to the default without the flag is set
    /// to 0: together with the flag it would be invalid (rules 1.618) or cancel it (1.619.4). Any other `Alignment` is
    /// left, and under 1.618 prevents the flag. On a driver without tight alignment this is the same as
    /// [`Off`](Self::Off).
    On,
    /// No resource has the flag. An `Alignment` that is only legal with the flag is set to 0.
    Off,
    /// The flag stays as recorded.
    #[default]
    AsRecorded,
}

/// Error of parsing a change of the tight flag.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected on, off or as-recorded, found {found}")]
pub struct ParseTightError {
    found: String,
}

impl FromStr for Tight {
    type Err = ParseTightError;

    fn from_str(word: &str) -> Result<Tight, ParseTightError> {
        match word {
            "on" => Ok(Tight::On),
            "off" => Ok(Tight::Off),
            "as-recorded" => Ok(Tight::AsRecorded),
            _ => Err(ParseTightError { found: word.to_owned() }),
        }
    }
}

impl Tight {
    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Tight::On => "on",
            Tight::Off => "off",
            Tight::AsRecorded => "as-recorded",
        }
    }

    /// Returns the changed description; `answer` evaluates an allocation query with the driver. Cross-adapter resources
    /// are left alone: the flag has no effect on them (rule A-14).
    pub(super) fn apply(
        self,
        desc: &ResourceDesc,
        mut answer: impl FnMut(&ResourceDesc) -> AllocationInfo,
    ) -> ResourceDesc {
        let flagged = desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
        match self {
            Tight::On if !flagged && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) => {
                // Without the flag 0 selects the same alignment, so an explicit request for it can be dropped.
                let default = answer(&ResourceDesc { alignment_bytes: 0, ..*desc }).alignment_bytes;
                let alignment_bytes = if desc.alignment_bytes == default { 0 } else { desc.alignment_bytes };
                let flags = desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT;
                let tight = ResourceDesc { flags, alignment_bytes, ..*desc };
                if legal(&tight, &mut answer) { tight } else { *desc }
            }
            Tight::Off if flagged => {
                let flags = desc.flags.without(ResourceFlags::USE_TIGHT_ALIGNMENT);
                let classic = ResourceDesc { flags, ..*desc };
                if legal(&classic, &mut answer) { classic } else { ResourceDesc { alignment_bytes: 0, ..classic } }
            }
            _ => *desc,
        }
    }
}

fn legal(desc: &ResourceDesc, answer: &mut impl FnMut(&ResourceDesc) -> AllocationInfo) -> bool {
    answer(desc).size_bytes != u64::MAX
}
