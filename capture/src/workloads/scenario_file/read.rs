//! Reads a scenario's text.

use super::expression_text::Wrong;
use super::file::{Phase, ScenarioError, ScenarioFile};
use super::shader_sets::ShaderSets;
use super::step::Step;
use super::step_text::Names;
use super::table_text::Table;
use std::path::Path;
use taut_runtime::TomlSource;
use toml::de::DeTable;

/// Most application threads.
const MOST_THREADS: u64 = 64;

impl ScenarioFile {
    /// Reads the file of this name.
    ///
    /// # Errors
    /// It cannot be read, or as [`ScenarioFile::parse`].
    pub fn read(path: &Path) -> Result<ScenarioFile, ScenarioError> {
        let origin = path.display().to_string();
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| ScenarioError::Read { origin: origin.clone(), source })?;
        ScenarioFile::parse(&text, &origin, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a text. `origin` is what errors call it; shaders of one's own are looked for in `folder`.
    ///
    /// # Errors
    /// What is wrong with it: file, line, column and key, what was expected there and what was found.
    pub fn parse(text: &str, origin: &str, folder: &Path) -> Result<ScenarioFile, ScenarioError> {
        let source = TomlSource::new(text, origin, "scenario");
        let table = DeTable::parse(source.text).map_err(|error| source.toml_error("", &error))?;
        let whole = Table { source: &source, path: String::new(), table: table.get_ref(), span: 0..0 };
        whole.has_only(&["name", "description", "developer_mode", "shaders", "phase"])?;
        let (name, _) = whole.required_text("name")?;
        whole.text("description")?;
        let developer_mode = whole.flag("developer_mode")?;
        let shaders = whole.get("shaders").map(|shaders| Table::of(&source, "shaders", shaders)).transpose()?;
        let sets = ShaderSets::read(shaders.as_ref(), folder)?;
        let mut names = Names { sets, events: Vec::new(), destroys: false };
        let none = || Wrong { expected: "a list of phases".to_owned(), found: "none".to_owned() };
        let list = whole.list("phase")?.filter(|list| !list.is_empty()).ok_or_else(|| whole.wrong("phase", none()))?;
        let mut phases = Vec::new();
        for (at, phase) in list.iter().enumerate() {
            let phase = Table::of(&source, &format!("phase[{at}]"), phase)?;
            phases.push(read_phase(&phase, &mut names)?);
        }
        let Names { sets, events, destroys } = names;
        let (name, origin, sets) = (name.to_owned(), origin.to_owned(), sets.sets);
        let file = ScenarioFile { name, origin, developer_mode, phases, sets, events };
        if destroys && file.threads() > 1 {
            let found = format!("{} threads", file.threads());
            let expected = "one thread where a step destroys the device".to_owned();
            return Err(whole.wrong("phase", Wrong { expected, found }).into());
        }
        Ok(file)
    }
}

/// A phase: steps of its own, which one thread takes or several do, or a table `thread` for each that does something else.
fn read_phase(phase: &Table<'_, '_>, names: &mut Names<'_>) -> Result<Phase, ScenarioError> {
    phase.has_only(&["name", "threads", "steps", "thread"])?;
    let name = phase.required_text("name")?.0.to_owned();
    let threads = match (phase.list("thread")?, phase.get("steps")) {
        (Some(threads), None) => {
            let mut read = Vec::new();
            for (at, thread) in threads.iter().enumerate() {
                let thread = Table::of(phase.source, &format!("{}thread[{at}]", phase.path), thread)?;
                thread.has_only(&["threads", "steps"])?;
                read.extend(alike(&thread, names)?);
            }
            read
        }
        (None, Some(_)) => alike(phase, names)?,
        (threads, _) => {
            let found = if threads.is_some() { "both" } else { "neither" }.to_owned();
            return Err(phase.wrong("steps", Wrong { expected: "steps, or a table thread".to_owned(), found }).into());
        }
    };
    if threads.len() as u64 > MOST_THREADS {
        let expected = format!("at most {MOST_THREADS} threads");
        return Err(phase.wrong("thread", Wrong { expected, found: threads.len().to_string() }).into());
    }
    Ok(Phase { name, threads })
}

/// The same steps for each of so many threads.
fn alike(table: &Table<'_, '_>, names: &mut Names<'_>) -> Result<Vec<Vec<Step>>, ScenarioError> {
    let Some(steps) = table.list("steps")? else {
        return Err(table.wrong("steps", Wrong { expected: "a list".to_owned(), found: "none".to_owned() }).into());
    };
    let steps = names.steps(table.source, (&format!("{}steps", table.path), steps), 0)?;
    let threads = table.number("threads", (1, MOST_THREADS))?.unwrap_or(1);
    Ok(vec![steps; threads as usize])
}
