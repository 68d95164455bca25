//! Known contents and query results of an immediate context, as records of a rundown.

use super::Contents;
use crate::records::{RestoreError, StateRecords, check_count, invalid_value};
use crate::state::Content;
use taut_schemas::{D3d11ContextId, PredicationBinding, state};

impl Contents {
    /// Writes the records. Contents to which no operation was applied have no records.
    pub(crate) fn save(&self, context: D3d11ContextId, records: &mut StateRecords) {
        let Contents { resources, found, counting, predicate, unsubmitted } = self;
        let predicate = predicate.map(|(predicate, value)| PredicationBinding { predicate, value });
        if predicate.is_some() || !unsubmitted.is_empty() {
            let unsubmitted = unsubmitted.iter().copied().collect();
            records.put(&state::ContextContents { context, unsubmitted, predicate });
        }
        for (resource, content) in resources {
            let (colour, bytes) = content.save();
            records.put(&state::ResourceContent { context, resource: *resource, colour, bytes });
        }
        for (is_counting, found) in [(false, found), (true, counting)] {
            for (query, found) in found {
                records.put(&state::QueryFound { context, query: *query, is_counting, found: *found });
            }
        }
    }

    /// Restores predicate and unsubmitted queries from their record.
    pub(crate) fn restore(&mut self, record: &state::ContextContents) {
        let state::ContextContents { context: _, unsubmitted, predicate } = record;
        self.unsubmitted = unsubmitted.iter().copied().collect();
        self.predicate = predicate.map(|PredicationBinding { predicate, value }| (predicate, value));
    }

    /// Restores a resource's contents from their record.
    pub(crate) fn restore_resource(&mut self, record: state::ResourceContent) -> Result<(), RestoreError> {
        let state::ResourceContent { context: _, resource, colour, bytes } = record;
        let Some(content) = Content::restore(colour, bytes) else {
            let expected = "a colour of four components, or at most 65,536 bytes";
            return invalid_value::<_, state::ResourceContent>(expected, resource.0);
        };
        self.set(resource, content);
        Ok(())
    }

    /// Restores a query from its record.
    pub(crate) fn restore_query(&mut self, record: &state::QueryFound) -> Result<(), RestoreError> {
        let state::QueryFound { context: _, query, is_counting, found } = *record;
        let found = check_count::<state::QueryFound>(found)?;
        if is_counting { &mut self.counting } else { &mut self.found }.insert(query, found);
        Ok(())
    }
}
