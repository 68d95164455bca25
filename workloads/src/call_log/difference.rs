//! Calls whose outcome differs from the logged one, in groups of one reason each.

use serde::Serialize;
use std::fmt;
use taut_schemas::{
    AllocationInfo, DifferenceKind, Dimension, HResultCode, ResourceDesc, ResourceFlags, Rule, counted, grouped, mark,
    rule,
};

/// Maximum number of groups; the calls of further groups are only counted.
const MAX_GROUPS: usize = 64;

/// Calls that differ in the same way for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DifferenceGroup {
    #[serde(serialize_with = "kind_name")]
    pub kind: DifferenceKind,
    pub call: &'static str,
    /// Outcome of the first call in the log: the return value, or the answer.
    pub logged: String,
    /// Outcome of the first call now.
    pub live: String,
    /// Reason: a message of the debug layer by its id, or a rule of docs/rules.md; empty if it has none.
    pub rule: String,
    /// Text of the reason, for the first call.
    pub description: String,
    /// Number of calls.
    pub calls: u64,
    /// Number of the first call's line in the file, or of its event.
    pub first_line: u64,
}

/// All groups, in the order of their first calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    pub groups: Vec<DifferenceGroup>,
    /// Calls of groups that are not stored.
    pub other_calls: u64,
}

fn kind_name<S: serde::Serializer>(kind: &DifferenceKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{kind:?}").to_lowercase())
}

/// Call of a line, as a difference names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoggedCall {
    pub name: &'static str,
    /// Number of the line in the file.
    pub number: u64,
}

impl Differences {
    /// Adds a call that succeeded in the log and failed now. `message` is the reason.
    pub(super) fn add_refused(
        &mut self,
        call: LoggedCall,
        logged: HResultCode,
        live: HResultCode,
        message: Option<&mark::DebugMessage>,
    ) {
        let rule = message.filter(|message| message.message_id.0 != 0);
        self.add(DifferenceGroup {
            kind: DifferenceKind::REFUSED,
            call: call.name,
            logged: code_name(logged),
            live: code_name(live),
            rule: rule.map_or_else(String::new, |message| format!("{:?}", message.message_id)),
            description: message.map_or_else(String::new, |message| message.description.clone()),
            calls: 1,
            first_line: call.number,
        });
    }

    /// Adds a call that failed in the log and succeeded now.
    pub(super) fn add_accepted(&mut self, call: LoggedCall, logged: HResultCode) {
        self.add(DifferenceGroup {
            kind: DifferenceKind::ACCEPTED,
            call: call.name,
            logged: code_name(logged),
            live: code_name(HResultCode::S_OK),
            rule: String::new(),
            description: String::new(),
            calls: 1,
            first_line: call.number,
        });
    }

    /// Adds an answer of GetResourceAllocationInfo that differs from the logged one; `queried` is the first description.
    pub(super) fn add_answer(
        &mut self,
        call: LoggedCall,
        queried: Option<ResourceDesc>,
        logged: AllocationInfo,
        live: AllocationInfo,
        message: Option<&mark::DebugMessage>,
    ) {
        let message = message.filter(|_| live.size_bytes == u64::MAX);
        let rule = queried.as_ref().map(size_rule);
        let (rule, description) = match (message, rule) {
            (Some(message), _) => (format!("{:?}", message.message_id), message.description.clone()),
            (None, Some(rule)) => (rule.id.to_owned(), rule.sentence.to_owned()),
            (None, None) => Default::default(),
        };
        let (calls, first_line) = (1, call.number);
        let (logged, live) = (answer_text(logged), answer_text(live));
        let kind = DifferenceKind::ANSWER;
        self.add(DifferenceGroup { kind, call: call.name, logged, live, rule, description, calls, first_line });
    }

    fn add(&mut self, group: DifferenceGroup) {
        let is_same = |known: &&mut DifferenceGroup| {
            // Answers of one rule differ in their sizes; return values distinguish groups.
            let outcome =
                group.kind == DifferenceKind::ANSWER || known.logged == group.logged && known.live == group.live;
            known.kind == group.kind && known.call == group.call && known.rule == group.rule && outcome
        };
        let is_full = self.groups.len() >= MAX_GROUPS;
        match self.groups.iter_mut().find(is_same) {
            Some(known) => known.calls += 1,
            None if is_full => self.other_calls += 1,
            None => self.groups.push(group),
        }
    }

    /// True if no call differs.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Marks for the trace, one per group.
    pub fn marks(&self) -> impl Iterator<Item = mark::LoggedCallsDiffer> {
        self.groups.iter().map(|group| mark::LoggedCallsDiffer {
            kind: group.kind,
            name: group.call.to_owned(),
            logged: group.logged.clone(),
            live: group.live.clone(),
            rule: group.rule.clone(),
            description: group.description.clone(),
            calls: group.calls,
            first_line: group.first_line,
        })
    }

    /// Sum of the calls of one kind.
    pub fn calls(&self, kind: DifferenceKind) -> u64 {
        self.groups.iter().filter(|group| group.kind == kind).map(|group| group.calls).sum()
    }

    /// Writes the groups of one kind, one per line.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, kind: DifferenceKind, unit: &str) -> fmt::Result {
        let mut groups = self.groups.iter().filter(|group| group.kind == kind);
        groups.try_for_each(|group| group.write(f, unit))
    }
}

impl DifferenceGroup {
    fn write(&self, f: &mut fmt::Formatter<'_>, unit: &str) -> fmt::Result {
        let DifferenceGroup { kind, call, logged, live, rule, description, calls, first_line } = self;
        write!(f, "\n  {call}: {}, first at {unit} {}: ", counted(*calls, "call"), grouped(*first_line))?;
        match *kind {
            DifferenceKind::REFUSED => write!(f, "{live}")?,
            DifferenceKind::ACCEPTED => write!(f, "{logged} in the log")?,
            _ => write!(f, "{logged} in the log, {live} here")?,
        }
        match (rule.as_str(), description.as_str()) {
            ("", "") => Ok(()),
            ("", text) => write!(f, ": {text}"),
            (rule, text) => write!(f, "; {rule}: {text}"),
        }
    }
}

/// Rule by which a resource is sized.
fn size_rule(desc: &ResourceDesc) -> &'static Rule {
    let is_tight = desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
    match (is_tight, desc.dimension == Dimension::BUFFER) {
        (true, true) => rule::A_13,
        (true, false) => rule::A_11,
        (false, true) => rule::A_04,
        (false, false) => rule::A_01,
    }
}

fn code_name(code: HResultCode) -> String {
    code.name().map_or_else(|| code.to_string(), str::to_owned)
}

fn answer_text(info: AllocationInfo) -> String {
    match info.size_bytes {
        u64::MAX => "an invalid description".to_owned(),
        size => format!("size {} alignment {}", grouped(size), grouped(info.alignment_bytes)),
    }
}
