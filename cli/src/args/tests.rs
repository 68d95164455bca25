//! Tests of the command line: the table of writers, and the help of driver options.

#[path = "../../tests/suite/writers/mod.rs"]
mod writers;

use super::*;
use clap::CommandFactory;
use std::collections::BTreeSet;
use writers::{Target, WRITERS};

/// Options that name a file or folder to read.
const READ: [&str; 5] = ["driver", "machine", "cases", "budget", "baseline"];

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

#[test]
fn the_table_of_writers_has_every_argument_that_names_an_output() {
    let mut found = BTreeSet::new();
    paths(&Arguments::command(), &mut found);
    let known = WRITERS.iter().map(|writer| (writer.argument.0.to_owned(), writer.argument.1.to_owned()));
    assert_eq!(found, known.collect());
    for writer in &WRITERS {
        assert!(writer.line.contains(&"OUT"), "{:?}", writer.line);
        assert!(!matches!(writer.target, Target::Folder("")));
    }
}
