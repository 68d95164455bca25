//! `taut alloc-info`: size and alignment of resource descriptions, and the messages of the runtime about them.

use crate::args::AllocInfo;
use crate::failure::failure;
use taut_app::alloc_info;
use taut_console::input::answer_lines;
use taut_console::outcome::Outcome;

/// Prints a result for each input line. The result of an invalid line is an error, and the next line is read.
pub fn run(arguments: &AllocInfo) -> Outcome {
    let info = alloc_info::AllocInfo::new(&arguments.world.options()).map_err(failure)?;
    answer_lines(arguments.file.as_deref(), |line| info.answer(line))
}
