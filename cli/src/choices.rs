//! Possible values of arguments that are names: listed by `--help`, and offered by shell completion.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter};
use std::ffi::{OsStr, OsString};
use taut_analyze::REPORTS;
use taut_analyze::placement::Policy;
use taut_app::record::Named;
use taut_conformance::CHECKS;
use taut_runtime::{MachineProfile, Profile, RuleSet, Settings};
use taut_schemas::SchemaTable;
use taut_workloads::scene;
use taut_workloads::{Parameter, Range, WORKLOADS};

/// A possible value and its description. The description is a closure, called only when it is shown, because the lists
/// are built at every start of the program.
pub struct Choice {
    name: String,
    description: Box<dyn Fn() -> String>,
}

impl Choice {
    fn new(name: impl Into<String>, description: impl Fn() -> String + 'static) -> Choice {
        Choice { name: name.into(), description: Box::new(description) }
    }

    /// Creates a choice without a description.
    fn bare(name: impl Into<String>) -> Choice {
        Choice::new(name, String::new)
    }
}

/// Names of the driver models.
pub fn drivers() -> Vec<Choice> {
    let description = |name: &str| Profile::named(name).map(|profile| first_sentence(&profile.description));
    Profile::all().map(|(name, _)| Choice::new(*name, move || description(name).unwrap_or_default())).collect()
}

/// Names of the bundled machines.
pub fn machines() -> Vec<Choice> {
    let description = |name: &str| MachineProfile::named(name).map(|machine| first_sentence(&machine.description));
    MachineProfile::bundled()
        .iter()
        .map(|(name, _)| Choice::new(*name, move || description(name).unwrap_or_default()))
        .collect()
}

/// Names of the generated workloads.
pub fn workloads() -> Vec<Choice> {
    WORKLOADS.iter().map(|workload| Choice::new(workload.name, || first_sentence(workload.description))).collect()
}

/// Names of the reports.
pub fn reports() -> Vec<Choice> {
    REPORTS.iter().map(|report| Choice::new(report.name(), || report.description().to_owned())).collect()
}

/// Names of the rule sets.
pub fn rules() -> Vec<Choice> {
    RuleSet::ALL.iter().map(|rules| Choice::bare(rules.name())).collect()
}

/// Values of `--tight`.
pub fn tight() -> Vec<Choice> {
    ["on", "off", "as-recorded"].map(Choice::bare).into()
}

/// Names of the placement policies.
pub fn policies() -> Vec<Choice> {
    Policy::ALL.iter().map(|policy| Choice::bare(policy.name())).collect()
}

/// Ids of the checks of the conformance kit.
pub fn checks() -> Vec<Choice> {
    CHECKS.iter().map(|check| Choice::new(check.id, || check.title.to_owned())).collect()
}

/// Names of the settings, each with an equals sign, and their defaults.
pub fn settings() -> Vec<Choice> {
    let default = |key: &str| {
        let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
        format!("default {}", defaults[key].as_str().map_or_else(|| defaults[key].to_string(), str::to_owned))
    };
    Settings::keys().into_iter().map(|key| Choice::new(format!("{key}="), move || default(&key))).collect()
}

/// Names of the events.
pub fn events() -> Vec<Choice> {
    let mut names: Vec<String> = SchemaTable::current().events.into_iter().map(|event| event.name).collect();
    names.dedup();
    names.into_iter().map(Choice::bare).collect()
}

/// Parameters of glTF scenes, whether loaded or drawn.
fn scene_parameters() -> impl Iterator<Item = &'static Parameter> {
    scene::PARAMETERS.iter().chain(scene::drawing::PARAMETERS)
}

/// Parameters of the workload or scene on the command line, or of all workloads if none is named.
pub fn parameters() -> Vec<Choice> {
    // A completer gets only the word at the cursor, so the workload is found in the command line.
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let named = WORKLOADS.iter().find(|workload| words.iter().any(|word| word == workload.name));
    let is_scene = words.iter().any(|word| word.ends_with(".gltf") || word.ends_with(".glb"));
    let parameters: Vec<&Parameter> = match named {
        Some(workload) => workload.parameters.iter().collect(),
        None if is_scene => scene_parameters().collect(),
        None => WORKLOADS.iter().flat_map(|workload| workload.parameters).chain(scene_parameters()).collect(),
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

/// Appends the possible values to a help text.
pub fn one_of(help: &str, choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.trim_end_matches('=')).collect();
    format!("{help} [possible values: {}]", names.join(", "))
}

/// Returns a parser of the named values of an option.
pub fn among<T: Copy + Send + Sync + 'static>(
    option: &'static str,
    all: &'static [Named<T>],
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|one| PossibleValue::new(one.name).help(one.description));
    PossibleValuesParser::new(values).try_map(move |name| Named::find(all, option, &name))
}

/// Returns a completer that offers names.
pub fn named(choices: fn() -> Vec<Choice>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| matching(choices(), current))
}

/// Returns a completer that offers names and files.
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
    let candidate = |Choice { name, description }: Choice| {
        let description = description();
        CompletionCandidate::new(OsString::from(name)).help((!description.is_empty()).then(|| description.into()))
    };
    fitting.map(candidate).collect()
}

fn first_sentence(text: &str) -> String {
    let text = text.trim();
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.').to_owned()
}
