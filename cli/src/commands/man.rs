//! `taut man`: prints or writes the manual pages.

use crate::args::{Arguments, Common, Man};
use clap::{Command, CommandFactory};
use std::path::Path;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::output::{Kind, Output, Outputs, is_stdio};
use taut_console::printing::print_bytes;

/// Prints the page, or writes all of them.
pub fn run(man: &Man, common: Common) -> Outcome {
    let command = Arguments::command();
    let Some(folder) = man.output.as_deref().filter(|folder| !is_stdio(folder)) else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        print_bytes(&page)?;
        return Ok(Status::Fine);
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::io(error).context(folder.display().to_string()))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    pages_of(&command, folder, &mut Outputs::new([], common.force), &mut pages)?;
    for (output, page) in pages {
        output.finish_with(&page)?;
    }
    Ok(Status::Fine)
}

/// Renders the pages of a command and its subcommands. The caller writes them once all are rendered.
fn pages_of(
    command: &Command,
    folder: &Path,
    outputs: &mut Outputs,
    pages: &mut Vec<(Output, Vec<u8>)>,
) -> Result<(), Failure> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        pages_of(subcommand, folder, outputs, pages)?;
    }
    let manual = clap_mangen::Man::new(command.clone());
    let output = outputs.open_inside(&folder.join(manual.get_filename()), Kind::Manual)?;
    let mut page = Vec::new();
    manual.render(&mut page)?;
    pages.push((output, page));
    Ok(())
}
