//! What becomes of the tight flag.

use std::str::FromStr;
use taut_schemas::{AllocationInfo, ResourceDesc, ResourceFlags};
use thiserror::Error;

/// What becomes of `D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tight {
    /// Every resource for which it is legal gets it. An `Alignment` that only says what 0 says without the flag is
    /// dropped: beside the flag it would be invalid (rules 1.618) or undo it (1.619.4). Any other is left, and under
    /// 1.618 keeps its resource from the flag. On a driver without tight alignment it is the same as [`Off`](Self::Off).
    On,
    /// No resource has it. An `Alignment` that is only legal beside it is dropped with it.
    Off,
    /// It stays as it is.
    #[default]
    AsRecorded,
}

/// A word that says nothing about the tight flag.
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
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Tight::On => "on",
            Tight::Off => "off",
            Tight::AsRecorded => "as-recorded",
        }
    }

    /// The description as it would be; `answer` is what the driver at hand says of one. Cross-adapter resources are left
    /// alone: the flag has no effect on them (rule A-14).
    pub(super) fn apply(
        self,
        desc: &ResourceDesc,
        mut answer: impl FnMut(&ResourceDesc) -> AllocationInfo,
    ) -> ResourceDesc {
        let flagged = desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
        match self {
            Tight::On if !flagged && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) => {
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
