//! Which live object stands for which recorded one.

use foldhash::HashMap;
use taut_schemas::HandleMap;

/// A handle that names no object, live or recorded.
const NEVER_CREATED: u64 = u64::MAX;

/// Recorded handles and the live handles that stand for them. A faithful replay gives out the same handles as the
/// recording, so only the exceptions are kept.
#[derive(Debug, Default)]
pub struct Handles {
    exceptions: HashMap<u64, u64>,
    missing: Option<u64>,
}

impl Handles {
    /// The recorded object `recorded` was created as `live`; `None` if the live creation failed.
    pub fn created(&mut self, recorded: u64, live: Option<u64>) {
        if live != Some(recorded) {
            self.exceptions.insert(recorded, live.unwrap_or(NEVER_CREATED));
        }
    }

    /// The first object that was mapped since [`forget_missing`](Self::forget_missing) and was never created live, by
    /// its recorded handle.
    pub fn missing(&self) -> Option<u64> {
        self.missing
    }

    /// Nothing mapped so far is missing.
    pub fn forget_missing(&mut self) {
        self.missing = None;
    }

    /// Every recorded handle so far stands for itself.
    pub fn is_identity(&self) -> bool {
        self.exceptions.is_empty()
    }
}

impl HandleMap for Handles {
    fn map(&mut self, id: u64) -> u64 {
        let live = self.exceptions.get(&id).copied().unwrap_or(id);
        if live == NEVER_CREATED {
            self.missing.get_or_insert(id);
        }
        live
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_stands_for_itself_until_it_is_said_otherwise() {
        let mut handles = Handles::default();
        handles.created(1, Some(1));
        assert!(handles.is_identity());
        handles.created(2, Some(3));
        handles.created(4, None);
        assert_eq!([1, 2, 4, 9].map(|id| handles.map(id)), [1, 3, NEVER_CREATED, 9]);
        assert_eq!(handles.missing(), Some(4));
    }
}
