//! Parser of a scenario's text.

use super::error::ScenarioError;
use super::expression_text::Wrong;
use super::file::{Phase, ScenarioFile};
use super::shader_sets::ShaderSets;
use super::step::Step;
use super::step_text::Names;
use super::table_text::Table;
use std::path::Path;
use std::sync::Arc;
use taut_runtime::TomlSource;
use taut_traces::read_text;

/// Maximum number of application threads.
const MAX_THREADS: u64 = 64;

impl ScenarioFile {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or as [`ScenarioFile::parse`].
    pub fn read(path: &Path) -> Result<ScenarioFile, ScenarioError> {
        let origin = path.display().to_string();
        let text = read_text(path);
        let text = text.map_err(|source| ScenarioError::Read { origin: origin.clone(), source })?;
        ScenarioFile::parse(&text, &origin, path.parent().unwrap_or(Path::new("")))
    }

    /// Parses a text. Errors name the file `origin`; custom shaders are searched in `folder`.
    ///
    /// # Errors
    /// The first fault: file, line, column and key, with the expected and found value.
    pub fn parse(text: &str, origin: &str, folder: &Path) -> Result<ScenarioFile, ScenarioError> {
        let source = TomlSource::new(text, origin, "scenario");
        let table = source.parse()?;
        let whole = Table { source: &source, path: String::new(), table: table.get_ref(), span: 0..0 };
        whole.has_only(&["name", "description", "developer_mode", "shaders", "phase"])?;
        let (name, _) = whole.required_text("name")?;
        whole.text("description")?;
        let developer_mode = whole.flag("developer_mode")?;
        let shaders = whole.get("shaders").map(|shaders| Table::from_value(&source, "shaders", shaders)).transpose()?;
        let sets = ShaderSets::read(shaders.as_ref(), folder)?;
        let mut names = Names { sets, events: Vec::new(), destroys: false };
        let none = || Wrong { expected: "a list of phases".to_owned(), found: "none".to_owned() };
        let list = whole.list("phase")?.filter(|list| !list.is_empty()).ok_or_else(|| whole.wrong("phase", none()))?;
        let mut phases = Vec::new();
        for (at, phase) in list.iter().enumerate() {
            let phase = Table::from_value(&source, &format!("phase[{at}]"), phase)?;
            phases.push(read_phase(&phase, &mut names)?);
        }
        let Names { sets, events, destroys } = names;
        let ShaderSets { sets, files: shader_files, .. } = sets;
        let (name, origin) = (name.to_owned(), origin.to_owned());
        let file = ScenarioFile { name, shader_files, origin, developer_mode, phases, sets, events };
        if destroys && file.threads() > 1 {
            let found = format!("{} threads", file.threads());
            let expected = "one thread where a step destroys the device".to_owned();
            return Err(whole.wrong("phase", Wrong { expected, found }).into());
        }
        Ok(file)
    }
}

/// Reads a phase: either steps for one or several threads, or tables `thread` with the steps of each.
fn read_phase(phase: &Table<'_, '_>, names: &mut Names<'_>) -> Result<Phase, ScenarioError> {
    phase.has_only(&["name", "threads", "steps", "thread"])?;
    let name = phase.required_text("name")?.0.to_owned();
    let threads = match (phase.list("thread")?, phase.get("steps")) {
        (Some(threads), None) => {
            let mut read = Vec::new();
            for (at, thread) in threads.iter().enumerate() {
                let thread = Table::from_value(phase.source, &format!("{}thread[{at}]", phase.path), thread)?;
                thread.has_only(&["threads", "steps"])?;
                read.extend(read_threads(&thread, names)?);
            }
            read
        }
        (None, Some(_)) => read_threads(phase, names)?,
        (threads, _) => {
            let found = if threads.is_some() { "both" } else { "neither" }.to_owned();
            return Err(phase.wrong("steps", Wrong { expected: "steps, or a table thread".to_owned(), found }).into());
        }
    };
    if threads.len() as u64 > MAX_THREADS {
        let expected = format!("at most {MAX_THREADS} threads");
        return Err(phase.wrong("thread", Wrong { expected, found: threads.len().to_string() }).into());
    }
    Ok(Phase { name, threads })
}

/// Reads the steps of a table, and repeats them for each of its threads.
fn read_threads(table: &Table<'_, '_>, names: &mut Names<'_>) -> Result<Vec<Arc<Vec<Step>>>, ScenarioError> {
    let Some(steps) = table.list("steps")? else {
        return Err(table.wrong("steps", Wrong { expected: "a list".to_owned(), found: "none".to_owned() }).into());
    };
    let steps = names.steps(table.source, &format!("{}steps", table.path), steps, 0)?;
    let threads = table.number("threads", 1, MAX_THREADS)?.unwrap_or(1);
    Ok(std::iter::repeat_n(Arc::new(steps), threads as usize).collect())
}
