//! What may be written where a name is asked for: said in `--help`, and offered where a shell completes.

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter};
use std::ffi::{OsStr, OsString};
use taut_analyze::REPORTS;
use taut_analyze::placing::Policy;
use taut_capture::scene;
use taut_capture::workloads::{Parameter, Range, WORKLOADS};
use taut_runtime::conformance::CHECKS;
use taut_runtime::{MachineProfile, Profile, RuleSet, Settings};
use taut_schemas::SchemaTable;

/// A name, and what it stands for: that is found out where it is shown, for every start of the program makes the list.
pub struct Choice {
    name: String,
    told: Box<dyn Fn() -> String>,
}

impl Choice {
    fn new(name: impl Into<String>, told: impl Fn() -> String + 'static) -> Choice {
        Choice { name: name.into(), told: Box::new(told) }
    }

    /// A name that says it all.
    fn bare(name: impl Into<String>) -> Choice {
        Choice::new(name, String::new)
    }
}

/// The driver models.
pub fn drivers() -> Vec<Choice> {
    let told = |name: &str| Profile::named(name).map(|profile| first_sentence(&profile.description));
    Profile::all().map(|(name, _)| Choice::new(*name, move || told(name).unwrap_or_default())).collect()
}

/// The machines.
pub fn machines() -> Vec<Choice> {
    let told = |name: &str| MachineProfile::named(name).map(|machine| first_sentence(&machine.description));
    MachineProfile::bundled()
        .iter()
        .map(|(name, _)| Choice::new(*name, move || told(name).unwrap_or_default()))
        .collect()
}

/// The generated workloads.
pub fn workloads() -> Vec<Choice> {
    WORKLOADS.iter().map(|workload| Choice::new(workload.name, || first_sentence(workload.description))).collect()
}

/// The reports.
pub fn reports() -> Vec<Choice> {
    REPORTS.iter().map(|report| Choice::new(report.name(), || report.description().to_owned())).collect()
}

/// The rule sets.
pub fn rules() -> Vec<Choice> {
    RuleSet::ALL.iter().map(|rules| Choice::bare(rules.name())).collect()
}

/// What becomes of the tight flag.
pub fn tight() -> Vec<Choice> {
    ["on", "off", "as-recorded"].map(Choice::bare).into()
}

/// The policies of allocators.
pub fn policies() -> Vec<Choice> {
    Policy::ALL.iter().map(|policy| Choice::bare(policy.name())).collect()
}

/// The checks of the conformance kit.
pub fn checks() -> Vec<Choice> {
    CHECKS.iter().map(|check| Choice::new(check.id, || check.title.to_owned())).collect()
}

/// The settings, each with an equals sign, and their defaults.
pub fn settings() -> Vec<Choice> {
    let default = |key: &str| {
        let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
        format!("default {}", defaults[key].as_str().map_or_else(|| defaults[key].to_string(), str::to_owned))
    };
    Settings::keys().into_iter().map(|key| Choice::new(format!("{key}="), move || default(&key))).collect()
}

/// The names of events.
pub fn events() -> Vec<Choice> {
    let mut names: Vec<String> = SchemaTable::current().events.into_iter().map(|event| event.name).collect();
    names.dedup();
    names.into_iter().map(Choice::bare).collect()
}

/// What scenes can be told, loaded or drawn.
fn of_scenes() -> impl Iterator<Item = &'static Parameter> {
    scene::PARAMETERS.iter().chain(scene::drawing::PARAMETERS)
}

/// The parameters of the workload that is named on the command line, or of all.
pub fn parameters() -> Vec<Choice> {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let named = WORKLOADS.iter().find(|workload| words.iter().any(|word| word == workload.name));
    let is_scene = words.iter().any(|word| word.ends_with(".gltf") || word.ends_with(".glb"));
    let parameters: Vec<&Parameter> = match named {
        Some(workload) => workload.parameters.iter().collect(),
        None if is_scene => of_scenes().collect(),
        None => WORKLOADS.iter().flat_map(|workload| workload.parameters).chain(of_scenes()).collect(),
    };
    let mut choices: Vec<Choice> = Vec::new();
    for parameter in parameters {
        let key = format!("{}=", parameter.name);
        if choices.iter().all(|known| known.name != key) {
            choices.push(Choice::new(key, || parameter.description.to_owned()));
        }
        if let Range::Word(words) = parameter.range {
            let values = words.iter().map(|word| Choice::bare(format!("{}={word}", parameter.name)));
            choices.extend(values);
        }
    }
    choices
}

/// Help that ends with all that may be written.
pub fn one_of(help: &str, choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.trim_end_matches('=')).collect();
    format!("{help} [possible values: {}]", names.join(", "))
}

/// Completes with names.
pub fn named(choices: fn() -> Vec<Choice>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| matching(choices(), current))
}

/// Completes with names, and with files.
pub fn named_or_file(choices: fn() -> Vec<Choice>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let mut candidates = matching(choices(), current);
        candidates.extend(ArgValueCompleter::new(PathCompleter::file()).complete(current));
        candidates
    })
}

fn matching(choices: Vec<Choice>, current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let fitting = choices.into_iter().filter(|choice| choice.name.starts_with(&*current) && *choice.name != *current);
    let candidate = |Choice { name, told }: Choice| {
        let told = told();
        CompletionCandidate::new(OsString::from(name)).help((!told.is_empty()).then(|| told.into()))
    };
    fitting.map(candidate).collect()
}

fn first_sentence(text: &str) -> String {
    let text = text.trim();
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.').to_owned()
}
