//! Tests of the command line: the table of writers, and the help of driver options.

#[path = "../../tests/suite/writers/mod.rs"]
mod writers;

use super::*;
use clap::CommandFactory;
use std::collections::BTreeSet;
use taut_runtime::Profile;
use writers::{Target, WRITERS};

/// Options that name a file or folder to read.
const READ: [&str; 6] = ["driver", "machine", "cases", "budget", "baseline", "manifests"];

/// Collects every option of every command that names a file or folder to write.
fn paths(command: &clap::Command, found: &mut BTreeSet<(String, String)>) {
    for argument in command.get_arguments().filter(|argument| !argument.is_positional()) {
        let names = argument.get_value_names().unwrap_or_default();
        let is_path = ["PATH", "FILE", "DIR", "NEW"].iter().any(|kind| names.iter().any(|name| name.contains(kind)));
        if is_path && !READ.contains(&argument.get_id().as_str()) {
            found.insert((command.get_name().to_owned(), argument.get_id().to_string()));
        }
    }
    command.get_subcommands().for_each(|command| paths(command, found));
}

#[test]
fn the_help_of_a_driver_option_states_if_several_adapters_are_accepted() {
    let mut taut = Arguments::command();
    for (name, takes_several) in [("record", true), ("replay", true), ("hlk", false), ("alloc-info", false)] {
        let command = taut.find_subcommand_mut(name).unwrap_or_else(|| panic!("{name}"));
        for help in [command.render_help(), command.render_long_help()] {
            assert_eq!(help.to_string().contains("A+B"), takes_several, "{name}: {help}");
        }
    }
}

/// Largest numbers of lines of the short and of the long help.
const MAX_LINES: [usize; 2] = [50, 110];

/// Checks the help of a command and its subcommands, whose names begin with `path`.
fn check_help(command: &mut clap::Command, path: &str) {
    let texts = [command.render_help(), command.render_long_help()].map(|help| help.to_string());
    for (text, max) in texts.iter().zip(MAX_LINES) {
        let lines = text.lines().count();
        assert!(lines <= max, "{path}: {lines} lines, {max} are allowed:\n{text}");
        let bundled = Profile::all().find(|(name, _)| name.starts_with("faulty-") && text.contains(name));
        assert!(bundled.is_none(), "{path} names {bundled:?}");
    }
    // Clap's own command lists the others.
    for subcommand in command.get_subcommands_mut().filter(|subcommand| subcommand.get_name() != "help") {
        let path = format!("{path} {}", subcommand.get_name());
        check_help(subcommand, &path);
    }
}

#[test]
fn a_help_has_at_most_50_lines_and_a_long_help_110_without_names_of_faulty_drivers() {
    let mut taut = command();
    taut.build();
    check_help(&mut taut, "taut");
}

#[test]
fn every_command_is_in_one_group_of_the_help_and_no_line_is_wider_than_80_columns() {
    let mut taut = command();
    taut.build();
    let mut grouped: Vec<&str> = groups::GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    grouped.sort_unstable();
    let mut names: Vec<&str> = taut.get_subcommands().map(clap::Command::get_name).collect();
    names.sort_unstable();
    assert_eq!(grouped, names);
    let text = groups::template(&taut);
    let wide = text.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
}

/// Checks that texts which replace clap's own note on a default state that default.
fn check_defaults(command: &clap::Command) {
    for argument in command.get_arguments().filter(|argument| argument.is_hide_default_value_set()) {
        let default = argument.get_default_values().join(std::ffi::OsStr::new(","));
        // All providers are the default, and the text says so.
        let default = default.to_string_lossy().replace("api,ddi,task,memory", "all");
        for help in [argument.get_help(), argument.get_long_help()].into_iter().flatten() {
            let text = help.to_string();
            assert!(text.contains(&format!("[default: {default}]")), "{}: {text}", argument.get_id());
        }
    }
    command.get_subcommands().for_each(check_defaults);
}

#[test]
fn a_default_in_the_text_of_an_option_is_its_default() {
    check_defaults(&command());
}

#[test]
fn every_command_with_work_to_do_has_an_example() {
    let mut taut = Arguments::command();
    for name in groups::GROUPS.iter().flat_map(|(_, names)| *names).filter(|name| **name != "help") {
        let command = taut.find_subcommand_mut(name).unwrap_or_else(|| panic!("{name}"));
        let text = command.render_long_help().to_string();
        assert!(text.contains(&format!("Example: taut {name}")), "{name}: {text}");
    }
}

#[test]
fn the_table_of_writers_has_every_argument_that_names_an_output() {
    let mut found = BTreeSet::new();
    paths(&Arguments::command(), &mut found);
    // The exit code of `taut run` is the program's: its own tests have its output.
    found.remove(&("run".to_owned(), "output".to_owned()));
    let known = WRITERS.iter().map(|writer| (writer.argument.0.to_owned(), writer.argument.1.to_owned()));
    assert_eq!(found, known.collect());
    for writer in &WRITERS {
        assert!(writer.line.contains(&"OUT"), "{:?}", writer.line);
        assert!(!matches!(writer.target, Target::Folder("")));
    }
}
