//! Changes of resource descriptions, selected by the cause of wasted memory.

use super::machine_change::MachineChange;
use super::sizes::Sizes;
use super::tight::Tight;
use crate::tasks::TaskModel;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use taut_schemas::{
    AdapterId, AllocationInfo, MipRegion, ResourceDesc, RoundingCause, format::Format, nearest, requested_bytes,
};
use thiserror::Error;

/// D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT and D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT.
const SMALL_ALIGNMENT_BYTES: u64 = 4 << 10;
const DEFAULT_ALIGNMENT_BYTES: u64 = 64 << 10;

/// Change of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DescriptionChange {
    Tight,
    Alignment(u64),
}

/// Change of the descriptions that a cause of rounding affects, with the names of the alignment report's `causes`:
/// `buffers_below_256_b=tight`. A replay cannot make the report's other changes, because they need different calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CauseChange {
    cause: RoundingCause,
    described: DescriptionChange,
}

/// Error of parsing a change.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found}")]
pub struct ParseChangeError {
    expected: String,
    found: String,
}

/// Names of the changes.
const CHANGES: [(&str, DescriptionChange); 3] = [
    ("tight", DescriptionChange::Tight),
    ("alignment_4_kib", DescriptionChange::Alignment(SMALL_ALIGNMENT_BYTES)),
    ("alignment_64_kib", DescriptionChange::Alignment(DEFAULT_ALIGNMENT_BYTES)),
];

impl fmt::Display for CauseChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = CHANGES.iter().find(|(_, described)| *described == self.described).map_or("", |(name, _)| name);
        write!(f, "{}={name}", self.cause.name())
    }
}

impl FromStr for CauseChange {
    type Err = ParseChangeError;

    fn from_str(text: &str) -> Result<CauseChange, ParseChangeError> {
        let fault = |expected: String, found: &str| ParseChangeError { expected, found: found.to_owned() };
        let names = RoundingCause::ALL.map(RoundingCause::name);
        let Some((cause, change)) = text.split_once('=') else {
            let (causes, changes) = (names.join(", "), CHANGES.map(|(name, _)| name).join(", "));
            return Err(fault(format!("CAUSE=CHANGE, with a cause of {causes}, and a change of {changes}"), text));
        };
        let found = RoundingCause::ALL.into_iter().find(|known| known.name() == cause).ok_or_else(|| {
            fault(
                match nearest(cause, names) {
                    Some(name) => format!("a cause of rounding (did you mean {name}?)"),
                    None => format!("one of {}", names.join(", ")),
                },
                cause,
            )
        })?;
        let described = CHANGES.iter().find(|(name, _)| *name == change).map(|(_, described)| *described);
        let names = CHANGES.map(|(name, _)| name).join(", ");
        let described = described.ok_or_else(|| fault(format!("one of {names}, which a replay can make"), change))?;
        Ok(CauseChange { cause: found, described })
    }
}

/// Changes of descriptions, of background tasks and of the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    tight: Tight,
    by_cause: BTreeMap<RoundingCause, DescriptionChange>,
    tasks: Option<TaskModel>,
    machine: Option<MachineChange>,
}

impl From<Tight> for Changes {
    fn from(tight: Tight) -> Changes {
        Changes { tight, ..Changes::default() }
    }
}

impl Changes {
    /// Creates changes of descriptions. The change `tight` of the tight flag is applied before `changes`, of which the
    /// last one of each cause is used.
    pub fn new(tight: Tight, changes: &[CauseChange]) -> Changes {
        let by_cause = changes.iter().map(|change| (change.cause, change.described)).collect();
        Changes { tight, by_cause, tasks: None, machine: None }
    }

    /// Sets the model that schedules the tasks of the what-if's driver. With `None`, tasks start and end at the recorded
    /// starts and ends.
    pub fn with_tasks(self, tasks: Option<TaskModel>) -> Changes {
        Changes { tasks, ..self }
    }

    /// Sets the machine of the what-if. With `None`, the machine is the recorded one.
    pub fn on_machine(self, machine: Option<MachineChange>) -> Changes {
        Changes { machine, ..self }
    }

    pub(super) fn machine_mut(&mut self) -> Option<&mut MachineChange> {
        self.machine.as_mut()
    }

    pub(crate) fn tasks(&self) -> Option<TaskModel> {
        self.tasks
    }

    /// Returns `desc` after the changes. `sizes` are those of the what-if's world.
    pub(super) fn apply(
        &self,
        sizes: &mut Sizes,
        adapter: AdapterId,
        desc: &ResourceDesc,
        castable_formats: &[Format],
    ) -> ResourceDesc {
        let tight = sizes.tight(self.tight, adapter);
        let desc = tight.apply(desc, |desc| sizes.placed(adapter, desc, castable_formats));
        if self.by_cause.is_empty() {
            return desc;
        }
        let AllocationInfo { size_bytes, .. } = sizes.placed(adapter, &desc, castable_formats);
        let requested_bytes = requested_bytes(&desc, MipRegion::default()).unwrap_or(size_bytes);
        // A description without rounding, or one that is rejected, has no cause of waste.
        if requested_bytes == size_bytes || size_bytes == u64::MAX {
            return desc;
        }
        let changed = match self.by_cause.get(&RoundingCause::new(&desc, requested_bytes, size_bytes)) {
            None => return desc,
            Some(DescriptionChange::Tight) => {
                let tight = sizes.tight(Tight::On, adapter);
                tight.apply(&desc, |desc| sizes.placed(adapter, desc, castable_formats))
            }
            Some(DescriptionChange::Alignment(alignment_bytes)) => {
                ResourceDesc { alignment_bytes: *alignment_bytes, ..desc }
            }
        };
        // A change that is invalid or saves nothing is not applied.
        if sizes.placed(adapter, &changed, castable_formats).size_bytes < size_bytes { changed } else { desc }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_named_as_in_the_report_and_what_no_replay_makes_is_refused() {
        for cause in RoundingCause::ALL {
            for (change, described) in CHANGES {
                assert_eq!(format!("{}={change}", cause.name()).parse(), Ok(CauseChange { cause, described }));
            }
        }
        let messages = ["tight", "small_texture=tight", "colour=tight", "small_textures=placed"];
        let messages =
            messages.map(|text| text.parse::<CauseChange>().err().map_or_else(String::new, |error| error.to_string()));
        let [first, .., last] = RoundingCause::ALL.map(RoundingCause::name);
        let is_complete =
            [first, last, "alignment_64_kib", ", found tight"].iter().all(|part| messages[0].contains(part));
        assert!(messages[0].starts_with("expected CAUSE=CHANGE, ") && is_complete, "{}", messages[0]);
        assert_eq!(messages[1], "expected a cause of rounding (did you mean small_textures?), found small_texture");
        assert!(messages[2].starts_with("expected one of buffers_below_256_b, "), "{}", messages[2]);
        let expected =
            "expected one of tight, alignment_4_kib, alignment_64_kib, which a replay can make, found placed";
        assert_eq!(messages[3], expected);
    }
}
