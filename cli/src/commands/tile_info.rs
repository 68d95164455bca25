//! `taut tile-info`: offsets of bytes in tiled surfaces.

use crate::args::TileInfo;
use taut_app::tile_info;
use taut_console::input::answer_lines;
use taut_console::outcome::Outcome;

/// Prints a result for each input line. The result of an invalid line is an error, and the next line is read.
pub fn run(arguments: &TileInfo) -> Outcome {
    answer_lines(arguments.file.as_deref(), tile_info::answer)
}
