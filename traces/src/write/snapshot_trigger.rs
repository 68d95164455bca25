//! Trigger events at which a recording takes a snapshot of itself.

use crate::format::trigger_error::TriggerError;
use crate::live::snapshot_requests::SnapshotRequests;
use crate::read::print::{Value, fields};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};
use taut_schemas::{EventCode, FieldKind, Opcode, SchemaTable};

/// Max number of triggered snapshots per recording, so that a frequent event does not fill the disk.
const MAX_SNAPSHOTS: u32 = 10;

/// Line number that no event has.
pub(crate) const NO_LINE: u16 = u16::MAX;

/// Trigger event at which a recording takes a snapshot, up to ten times: `NAME` or `PROVIDER.NAME`, optionally followed
/// by `:FIELD=VALUE`, with the value as `taut dump` prints it. Without a field, a call triggers at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotTrigger {
    provider: Option<String>,
    name: String,
    field: Option<(String, String)>,
}

impl FromStr for SnapshotTrigger {
    type Err = TriggerError;

    fn from_str(text: &str) -> Result<SnapshotTrigger, TriggerError> {
        let (event, field) = match text.split_once(':') {
            Some((event, field)) => (event, Some(field)),
            None => (text, None),
        };
        let field = field.map(|field| field.split_once('=').filter(|(name, _)| !name.is_empty()));
        let form = || TriggerError::Form(text.to_owned());
        let field = match field {
            Some(field) => Some(field.ok_or_else(form)?),
            None => None,
        };
        let (provider, name) = match event.rsplit_once('.') {
            Some((provider, name)) => (Some(provider), name),
            None => (None, event),
        };
        if name.is_empty() {
            return Err(form());
        }
        Ok(SnapshotTrigger {
            provider: provider.map(str::to_owned),
            name: name.to_owned(),
            field: field.map(|(name, value)| (name.to_owned(), value.to_owned())),
        })
    }
}

impl SnapshotTrigger {
    /// Checks that `table` has the event and the field.
    ///
    /// # Errors
    /// Event, field or value do not exist.
    pub fn check(&self, table: &SchemaTable) -> Result<(), TriggerError> {
        self.codes(table).map(|_| ())
    }

    /// Codes of the trigger event.
    fn codes(&self, table: &SchemaTable) -> Result<Vec<EventCode>, TriggerError> {
        let is_of = |provider: &str| self.provider.as_deref().is_none_or(|wanted| wanted == provider);
        let lines: Vec<_> =
            table.events.iter().filter(|event| event.name == self.name && is_of(&event.provider)).collect();
        let Some(first) = lines.first() else {
            let mut known: Vec<String> = table.events.iter().map(|event| event.name.clone()).collect();
            known.dedup();
            return Err(TriggerError::Event { name: self.name.clone(), known });
        };
        if lines.iter().any(|line| line.code.id() != first.code.id()) {
            let mut full: Vec<String> = lines.iter().map(|line| format!("{}.{}", line.provider, line.name)).collect();
            full.dedup();
            return Err(TriggerError::Several { name: self.name.clone(), full });
        }
        let Some((name, value)) = &self.field else {
            let begins = lines.iter().filter(|line| line.opcode != Opcode::Stop).map(|line| line.code);
            return Ok(begins.collect());
        };
        let mut codes = Vec::new();
        for line in &lines {
            if let Some(field) = line.fields.iter().find(|field| field.name == *name) {
                possible(table, name, &field.kind, value)?;
                codes.push(line.code);
            }
        }
        if codes.is_empty() {
            let known = lines.iter().flat_map(|line| line.fields.iter().map(|field| field.name.clone())).collect();
            return Err(TriggerError::Field { event: self.name.clone(), name: name.clone(), known });
        }
        Ok(codes)
    }

    /// Creates the watch that requests a snapshot through `snapshot_requests` when the event occurs.
    ///
    /// # Errors
    /// `table` has no such event.
    pub(crate) fn watch(
        &self,
        table: &SchemaTable,
        snapshot_requests: SnapshotRequests,
    ) -> Result<EventWatch, TriggerError> {
        let (codes, left) = (self.codes(table)?, AtomicU32::new(MAX_SNAPSHOTS));
        Ok(EventWatch { codes, field: self.field.clone(), table: table.clone(), snapshot_requests, left })
    }
}

/// Checks that a field of this kind can have the value.
fn possible(table: &SchemaTable, field: &str, kind: &FieldKind, value: &str) -> Result<(), TriggerError> {
    let expected = match kind {
        FieldKind::Text => return Ok(()),
        FieldKind::Scalar(scalar) => match scalar.code.as_deref().and_then(|code| table.code(code)) {
            _ if number(value).is_some() => return Ok(()),
            Some(code) if value.split('|').all(|name| code.values.iter().any(|(_, known)| known == name)) => {
                return Ok(());
            }
            Some(code) => code.values.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "),
            None => "a number".to_owned(),
        },
        FieldKind::Bytes | FieldKind::List(_) | FieldKind::Optional(_) => "a field that is a number or text".to_owned(),
    };
    Err(TriggerError::Value { field: field.to_owned(), expected, found: value.to_owned() })
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Watch for a trigger event, which requests the snapshots.
#[derive(Debug)]
pub(crate) struct EventWatch {
    codes: Vec<EventCode>,
    field: Option<(String, String)>,
    table: SchemaTable,
    snapshot_requests: SnapshotRequests,
    left: AtomicU32,
}

impl EventWatch {
    /// Line number of the trigger event.
    pub fn line(&self) -> u16 {
        self.codes.first().map_or(NO_LINE, |code| code.id())
    }

    /// Handles a recorded event of the trigger's line.
    pub fn notice(&self, code: EventCode, row: &[u8]) {
        if !self.codes.contains(&code) || !self.has_value(code, row) {
            return;
        }
        let one_less = |left: u32| left.checked_sub(1);
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
            self.snapshot_requests.request();
        }
    }

    fn has_value(&self, code: EventCode, row: &[u8]) -> bool {
        let Some((name, wanted)) = &self.field else { return true };
        let fields = fields(&self.table, code, row).unwrap_or_default();
        let found = fields.into_iter().find(|(field, _)| field == name).map(|(_, value)| value);
        match found {
            Some(Value::Text(text)) => {
                text == *wanted || number(&text).is_some_and(|found| Some(found) == number(wanted))
            }
            Some(Value::Number(found)) => number(wanted) == Some(found),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<(), String> {
        let trigger: Result<SnapshotTrigger, TriggerError> = text.parse();
        trigger.and_then(|trigger| trigger.check(&SchemaTable::current())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_trigger_requires_an_existing_event_and_a_valid_field_value() {
        for right in ["DriverViolation", "d3d12.CreatePlacedResource:heap_offset_bytes=0x10000"] {
            assert_eq!(checked(right), Ok(()), "{right}");
        }
        let wrong = [
            ("", "expected EVENT or EVENT:FIELD=VALUE, found ``"),
            ("DriverViolation:rule", "expected EVENT or EVENT:FIELD=VALUE, found `DriverViolation:rule`"),
            ("DriverViolatoin", "expected the name of an event, found `DriverViolatoin`"),
            ("d3d11.CreatePlacedResource", "expected the name of an event, found `CreatePlacedResource`"),
            ("CreatePlacedResource:width=3", "CreatePlacedResource has no field `width`"),
            ("CreatePlacedResource:heap_offset_bytes=much", "heap_offset_bytes: expected a number, found `much`"),
        ];
        for (text, expected) in wrong {
            assert_eq!(
                checked(text).map_err(|error| error.contains(expected)),
                Err(true),
                "{text}: {:?}",
                checked(text)
            );
        }
    }
}
