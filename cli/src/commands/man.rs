//! `taut man`: the manual page.

use crate::args::{Arguments, Man};
use clap::CommandFactory;
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::print_bytes;

/// Prints the page, or writes all of them.
pub fn run(man: &Man) -> Outcome {
    let command = Arguments::command();
    match &man.output {
        Some(folder) => {
            let failed = |error| Failure::io(error).context(folder.display().to_string());
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(command, folder).map_err(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            print_bytes(&page)?;
        }
    }
    Ok(Status::Fine)
}
