//! Parser of steps: tables, each with one key that names the action.

use super::error::ScenarioError;
use super::expression_text::{Wrong, unknown};
use super::shader_sets::ShaderSets;
use super::step::{Action, Constant, Frames, Refusal, Step};
use super::table_text::Table;
use crate::bundled::adapter_queries::AdapterQuery;
use taut_runtime::TomlSource;
use taut_schemas::{
    AdapterId, BackgroundProcessingMode as Mode, KmtQueryAdapterInfoType, MeasurementsAction, NtStatus,
};
use toml::de::DeArray;

/// Actions, with the keys that each may have in addition to its own and `when`.
const ACTIONS: [(&str, &[&str]); 13] = [
    ("set_mode", &["action", "event", "query", "refusal"]),
    ("play", &["frames", "draws", "ahead", "frame", "constants"]),
    ("wait", &["timeout_ms"]),
    ("drain", &[]),
    ("query_support", &[]),
    ("developer_mode", &[]),
    ("create", &[]),
    ("release", &[]),
    ("destroy", &[]),
    ("start_adapter", &[]),
    ("query_adapter", &["adapter", "size_bytes", "status", "value"]),
    ("start_application", &["adapter"]),
    ("repeat", &["while_further", "steps"]),
];

/// Former keys, which are also accepted, with the current keys.
const FORMER_KEYS: [(&str, &str); 2] = [("ask", "query"), ("ask_support", "query_support")];

/// Returns the former name of a key if the table has that, else the key.
fn spelling(table: &Table<'_, '_>, key: &'static str) -> &'static str {
    let former = FORMER_KEYS.iter().find(|(was, name)| *name == key && table.get(was).is_some());
    former.map_or(key, |(was, _)| was)
}

const MODES: [(&str, Mode); 4] = [
    ("ALLOWED", Mode::ALLOWED),
    ("ALLOW_INTRUSIVE_MEASUREMENTS", Mode::ALLOW_INTRUSIVE_MEASUREMENTS),
    ("DISABLE_BACKGROUND_WORK", Mode::DISABLE_BACKGROUND_WORK),
    ("DISABLE_PROFILING_BY_SYSTEM", Mode::DISABLE_PROFILING_BY_SYSTEM),
];

const MEASUREMENTS_ACTIONS: [(&str, MeasurementsAction); 4] = [
    ("KEEP_ALL", MeasurementsAction::KEEP_ALL),
    ("COMMIT_RESULTS", MeasurementsAction::COMMIT_RESULTS),
    ("COMMIT_RESULTS_HIGH_PRIORITY", MeasurementsAction::COMMIT_RESULTS_HIGH_PRIORITY),
    ("DISCARD_PREVIOUS", MeasurementsAction::DISCARD_PREVIOUS),
];

const REFUSALS: [(&str, Refusal); 3] =
    [("ends", Refusal::Ends), ("goes_on", Refusal::GoesOn), ("required", Refusal::Required)];

/// Maximum nesting depth of loops, as a limit on stack use.
const MAX_LOOP_DEPTH: u32 = 16;

/// Names used by steps.
pub(super) struct Names<'a> {
    pub sets: ShaderSets<'a>,
    /// Events, in order of first use.
    pub events: Vec<String>,
    /// True if a step destroys the device.
    pub destroys: bool,
}

impl Names<'_> {
    fn event(&mut self, name: &str) -> usize {
        let known = self.events.iter().position(|event| event == name);
        known.unwrap_or_else(|| {
            self.events.push(name.to_owned());
            self.events.len() - 1
        })
    }

    /// Parses a list of steps.
    pub fn steps(
        &mut self,
        source: &TomlSource<'_>,
        path: &str,
        steps: &DeArray<'_>,
        depth: u32,
    ) -> Result<Vec<Step>, ScenarioError> {
        let mut read = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let table = Table::from_value(source, &format!("{path}[{at}]"), step)?;
            let all = ACTIONS.iter().flat_map(|(key, more)| std::iter::once(key).chain(more.iter())).copied();
            table.has_only(&all.chain(["when"]).map(|key| spelling(&table, key)).collect::<Vec<_>>())?;
            let mut named = ACTIONS.iter().filter(|(key, _)| table.get(spelling(&table, key)).is_some());
            let (Some((key, more)), None) = (named.next(), named.next()) else {
                let expected = format!("one of the keys {}", ACTIONS.map(|(key, _)| key).join(", "));
                let found = if table.entries().is_empty() { "none" } else { "none, or several" }.to_owned();
                return Err(source.error(step.span(), &format!("{path}[{at}]"), expected, found).into());
            };
            let known = more.iter().copied().chain([*key, "when"]).map(|key| spelling(&table, key));
            table.has_only(&known.collect::<Vec<_>>())?;
            let (line, when) = (table.line(), table.expression("when")?);
            read.push(Step { line, when, action: self.action(&table, key, depth)? });
        }
        Ok(read)
    }

    fn action(&mut self, table: &Table<'_, '_>, key: &'static str, depth: u32) -> Result<Action, ScenarioError> {
        let set = |names: &mut Self| -> Result<usize, ScenarioError> {
            let (name, span) = table.required_text(key)?;
            names.sets.find(table.source, &format!("{}{key}", table.path), name, span)
        };
        // An action without a value requires `true`.
        let alone = |action: Action| match table.flag(spelling(table, key))? {
            Some(true) => Ok(action),
            _ => Err(table.wrong(key, Wrong { expected: "true".to_owned(), found: "false".to_owned() }).into()),
        };
        Ok(match key {
            "set_mode" => self.set_mode(table)?,
            "play" => {
                let set = set(self)?;
                Action::Play(self.frames(table, set)?)
            }
            "wait" => {
                let timeout_ms = table.number("timeout_ms", 0, u32::MAX.into())?.unwrap_or(u32::MAX.into()) as u32;
                Action::Wait { event: self.awaited(table)?, timeout_ms }
            }
            "drain" => return alone(Action::Drain),
            "query_support" => return alone(Action::QuerySupport),
            "developer_mode" => Action::DeveloperMode(table.flag(key)?.unwrap_or_default()),
            "create" => {
                let set = set(self)?;
                self.sets.sets[set].from_the_start = false;
                Action::Create(set)
            }
            "release" => Action::Release(set(self)?),
            "destroy" => {
                self.destroys = true;
                return alone(Action::Destroy);
            }
            "start_adapter" => Action::StartAdapter(adapter(table, key)?.unwrap_or(AdapterId::FIRST)),
            "query_adapter" => query_adapter(table)?,
            "start_application" => {
                let (application, _) = table.required_text(key)?;
                Action::StartApplication { application: application.to_owned(), adapter: adapter(table, "adapter")? }
            }
            _ => self.repeat(table, depth)?,
        })
    }

    fn set_mode(&mut self, table: &Table<'_, '_>) -> Result<Action, ScenarioError> {
        // Numbers are accepted, so that a scenario can pass an invalid mode and show how the runtime handles it.
        let mode = match table.get("set_mode").map(|value| value.get_ref().is_integer()) {
            Some(true) => table.number("set_mode", 0, u32::MAX.into())?.map(|mode| Mode(mode as u32)),
            _ => table.word("set_mode", &MODES)?,
        };
        let action = match table.get("action").map(|value| value.get_ref().is_integer()) {
            Some(true) => table.number("action", 0, u32::MAX.into())?.map(|action| MeasurementsAction(action as u32)),
            _ => table.word("action", &MEASUREMENTS_ACTIONS)?,
        };
        let event = table.text("event")?.map(|(event, _)| self.event(event));
        Ok(Action::SetMode {
            mode: mode.unwrap_or_default(),
            action: action.unwrap_or_default(),
            event,
            queries_further: table.flag(spelling(table, "query"))?.unwrap_or_default(),
            refusal: table.word("refusal", &REFUSALS)?.unwrap_or(Refusal::Ends),
        })
    }

    /// Returns the event of a wait, which a preceding step must name.
    fn awaited(&self, table: &Table<'_, '_>) -> Result<usize, ScenarioError> {
        let (name, _) = table.required_text("wait")?;
        let known = self.events.iter().position(|event| event == name);
        let wrong = || unknown("an event that a set_mode before names", name, self.events.iter().map(String::as_str));
        known.ok_or_else(|| table.wrong("wait", wrong()).into())
    }

    fn repeat(&mut self, table: &Table<'_, '_>, depth: u32) -> Result<Action, ScenarioError> {
        let times = table.number("repeat", 0, 1_000_000_000)?.unwrap_or_default();
        let while_further = table.flag("while_further")?.unwrap_or_default();
        let Some(steps) = table.list("steps")? else {
            return Err(table.wrong("steps", Wrong { expected: "a list".to_owned(), found: "none".to_owned() }).into());
        };
        if depth == MAX_LOOP_DEPTH {
            let expected = format!("at most {MAX_LOOP_DEPTH} loops within each other");
            return Err(table.wrong("repeat", Wrong { expected, found: "one more".to_owned() }).into());
        }
        let steps = self.steps(table.source, &format!("{}steps", table.path), steps, depth + 1)?;
        Ok(Action::Repeat { times, while_further, steps })
    }

    fn frames(&self, table: &Table<'_, '_>, set: usize) -> Result<Frames, ScenarioError> {
        let mut constants: Vec<Vec<Constant>> = vec![Vec::new(); self.sets.sets[set].materials.len()];
        if let Some(value) = table.get("constants") {
            let constants_table = Table::from_value(table.source, &format!("{}constants", table.path), value)?;
            for (name, _, _) in constants_table.entries() {
                self.constant(&constants_table, set, name, &mut constants)?;
            }
        }
        Ok(Frames {
            set,
            frames: table.number("frames", 0, 1_000_000_000)?.unwrap_or(1),
            draws: table.number("draws", 0, 10_000)?.unwrap_or(1) as u32,
            ahead: table.number("ahead", 0, 1000)?.unwrap_or(2),
            frame: table.expression("frame")?,
            constants,
        })
    }

    /// Parses the value of a constant for each shader of the set that has a constant of this name.
    fn constant(
        &self,
        constants_table: &Table<'_, '_>,
        set: usize,
        name: &str,
        constants: &mut [Vec<Constant>],
    ) -> Result<(), ScenarioError> {
        let Some(value) = constants_table.expression(name)? else { return Ok(()) };
        let materials = &self.sets.sets[set].materials;
        let mut found = false;
        for (material, constants) in materials.iter().zip(constants) {
            for (slot, declared) in material.shader.function().constants.iter().enumerate() {
                if declared.name == name {
                    found = true;
                    constants.push(Constant { slot, ty: declared.ty, value: value.clone() });
                }
            }
        }
        if found {
            return Ok(());
        }
        let known = materials.iter().flat_map(|material| &material.shader.function().constants);
        let mut known: Vec<&str> = known.map(|declared| declared.name.as_str()).collect();
        known.dedup();
        let shown = unknown("a constant of the set", name, known.into_iter());
        // The names are not listed, because a set may have hundreds of constants.
        Err(constants_table
            .wrong(name, Wrong { expected: "a constant of one of the set's shaders".to_owned(), ..shown })
            .into())
    }
}

/// Returns the adapter of a key, from 1.
fn adapter(table: &Table<'_, '_>, key: &str) -> Result<Option<AdapterId>, ScenarioError> {
    Ok(table.number(key, 1, AdapterId::MAX as u64)?.map(AdapterId))
}

/// Parses a query of D3DKMTQueryAdapterInfo. Its type may be a number, so that a scenario can pass an invalid one.
fn query_adapter(table: &Table<'_, '_>) -> Result<Action, ScenarioError> {
    let types: Vec<_> =
        KmtQueryAdapterInfoType::NAMES.iter().map(|(value, name)| (*name, KmtQueryAdapterInfoType(*value))).collect();
    let statuses: Vec<_> = NtStatus::NAMES.iter().map(|(value, name)| (*name, NtStatus(*value))).collect();
    let of_number = |key: &str| table.get(key).is_some_and(|value| value.get_ref().is_integer());
    let info_type = match of_number("query_adapter") {
        true => table.number("query_adapter", 0, u32::MAX.into())?.map(|value| KmtQueryAdapterInfoType(value as u32)),
        false => table.word("query_adapter", &types)?,
    };
    Ok(Action::QueryAdapter(AdapterQuery {
        adapter: adapter(table, "adapter")?.unwrap_or(AdapterId::FIRST),
        info_type: info_type.unwrap_or_default(),
        // Every type has an answer of 4 bytes.
        size_bytes: table.number("size_bytes", 0, u32::MAX.into())?.unwrap_or(4) as u32,
        status: table.word("status", &statuses)?.unwrap_or(NtStatus::SUCCESS),
        value: table.number("value", 0, u32::MAX.into())?.map(|value| value as u32),
    }))
}
