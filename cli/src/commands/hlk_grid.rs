//! `taut hlk --machine`: runs the grid of the manual test on a machine.

use crate::args::{Common, Hlk};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use taut_app::hlk_grid::{self, GridOptions, GridResults};
use taut_conformance::{GridCase, GridResult};
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, ranked_table};
use taut_schemas::{HybridPresentMode, counted};

/// Max cases that the text lists.
const LISTED: usize = 10;

/// Runs every case. The status is [`Status::Found`] if one fails.
pub fn run(machine: &str, hlk: &Hlk, common: Common) -> Outcome {
    let options = GridOptions { world: hlk.world.options(), machine: machine.to_owned() };
    let results = hlk_grid::run(&options, &ProgressBar { quiet: common.quiet }).map_err(failure)?;
    if common.json {
        print_json(&results.json())?;
    } else {
        print(&to_text(&results))?;
    }
    Ok(if results.failures().next().is_some() { Status::Found } else { Status::Fine })
}

/// Cases of one display mode and format.
#[derive(Default)]
struct Group {
    cases: u64,
    one_copy: u64,
    two_copies: u64,
    no_copy: u64,
    failed: u64,
}

impl Group {
    fn add(&mut self, result: &GridResult) {
        self.cases += 1;
        self.failed += u64::from(result.fault.is_some());
        match result.path.map(|(mode, _)| mode) {
            Some(HybridPresentMode::ONE_COPY_PATH_CASO) => self.one_copy += 1,
            Some(HybridPresentMode::TWO_COPY_PATH) => self.two_copies += 1,
            Some(_) => self.no_copy += 1,
            None => {}
        }
    }
}

fn to_text(results: &GridResults) -> String {
    let (failed, all) = (results.failures().count(), results.results.len() as u64);
    let verdict = match failed {
        0 => format!("Passes {} of the manual test.", counted(all, "case")),
        failed => format!("Fails {failed} of {} of the manual test.", counted(all, "case")),
    };
    let drivers = results.drivers.join(" and ");
    let mut text = folded(&format!("{}: {drivers}\n{verdict}\n\n", bold(&results.machine.name)));
    let mut groups: Vec<(String, String, Group)> = Vec::new();
    for result in &results.results {
        let (mode, format) = (mode_text(&result.case), format!("{:?}", result.case.format));
        let known = groups.iter().position(|(known, of, _)| *known == mode && *of == format);
        let place = known.unwrap_or_else(|| {
            groups.push((mode, format, Group::default()));
            groups.len() - 1
        });
        groups[place].2.add(result);
    }
    let rows = groups.iter().map(|(mode, format, group)| {
        let Group { cases, one_copy, two_copies, no_copy, failed } = group;
        let counts = [cases, one_copy, two_copies, no_copy, failed].map(u64::to_string);
        let [cases, one_copy, two_copies, no_copy, failed] = counts;
        [mode.clone(), format.clone(), cases, one_copy, two_copies, no_copy, failed]
    });
    let head = ["display mode", "format", "cases", "one copy", "two copies", "no copy", "failed"];
    text += &ranked_table(&head, &[2, 3, 4, 5, 6], &[0, 1], rows);
    for result in results.failures().take(LISTED) {
        let fault = result.fault.as_deref().unwrap_or_default();
        text += &folded(&format!("\n{}: {fault}\n", case_text(&result.case)));
    }
    if failed > LISTED {
        text += &folded(&format!("\nAnd {} more: --json lists all.\n", failed - LISTED));
    }
    text
}

/// Display mode of a case: size and refresh rate.
fn mode_text(case: &GridCase) -> String {
    let hertz = case.refresh_millihertz as f64 / 1000.0;
    format!("{} x {}, {hertz} Hz", case.mode_width, case.mode_height)
}

fn case_text(case: &GridCase) -> String {
    let runtime = if case.is_direct3d11 { "Direct3D 11" } else { "Direct3D 12" };
    let (tearing, window) =
        (if case.may_tear { " with tearing" } else { "" }, if case.is_full_screen { "full screen" } else { "window" });
    let (width, height, format) = (case.width, case.height, case.format);
    let interval = case.sync_interval;
    format!("{runtime}, {}, {width} x {height} {format:?}, interval {interval}{tearing}, {window}", mode_text(case))
}
