//! Logs of both generations of columns, valid and damaged.

use super::*;
use crate::bundled::Parameters;
use crate::bundled::memory_session::MemorySession;
use taut_schemas::AdapterId;

mod formats;

const FIRST: &str = "\u{feff}Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
    msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed\n\
    game.exe,7,0x1,DXGI,1,0,0,1.5,0.1,16.6,0,Hardware: Independent Flip,2.5,10\n\
    game.exe,7,0x1,DXGI,1,0,1,1.6,0.1,16.6,0,Hardware: Independent Flip,2.5,0\n";
const SECOND: &str = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,\
    PresentMode,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,DisplayLatency\r\n\
    game.exe,7,0x1,DXGI,0,0,1,Composed: Flip,1500,16,4,0,3,5,24\r\n\
    game.exe,7,0x1,DXGI,-1,0,NA,Composed: Flip,1600,16,4,0,3,5,NA\r\n";

fn read(text: &str) -> PresentReading {
    PresentLog::parse(text, "p.csv").unwrap()
}

#[test]
fn both_generations_of_columns_parse_equally() {
    let times = |text| {
        let presents = read(text).log.presents;
        presents.iter().map(|one| (one.at_ns, one.gpu_end_after_ns, one.shown_after_ns)).collect::<Vec<_>>()
    };
    let expected = |first: u64, second, gpu_ns, shown| vec![(first, gpu_ns, Some(shown)), (second, gpu_ns, None)];
    assert_eq!(times(FIRST), expected(1_500_000_000, 1_600_000_000, 2_500_000, 10_000_000));
    assert_eq!(times(SECOND), expected(1_504_000_000, 1_604_000_000, 4_000_000, 20_000_000));
    let second = read(SECOND).log.presents;
    assert_eq!(
        second.iter().map(|one| (one.sync_interval, one.allows_tearing)).collect::<Vec<_>>(),
        [(0, true), (0, false)]
    );
}

#[test]
fn rows_that_cannot_be_read_are_counted_and_the_first_is_named() {
    let cut =
        FIRST.replace("1.6,0.1,16.6", "1.6,0.1") + "game.exe,7,0x1,DXGI,1,0,0,1.4,0.1,1,0,Composed: Flip,2.5,10\n";
    let reading = read(&cut);
    assert_eq!((reading.log.presents.len(), reading.left_out), (1, 2));
    assert_eq!(reading.fault.unwrap().to_string(), "p.csv:3:13: expected 14 columns, found 13 columns");
    let message = read(&FIRST.replace("2.5,10", "two,10")).fault.unwrap().to_string();
    assert_eq!(message, "p.csv:2:13: expected a number of milliseconds or NA, found two");
    let earlier = read(&FIRST.replace("1.6", "1.4")).fault.unwrap().to_string();
    assert_eq!(earlier, "p.csv:3:1: expected presents of a swap chain in order of time, found an earlier one");
}

#[test]
fn cells_of_invalid_utf8_are_read_with_replacement_characters_wherever_they_lie() {
    let (heading, rows) = FIRST.split_once('\n').unwrap();
    let row = rows.lines().next().unwrap();
    let with = |chain: &[u8], runtime: &[u8]| {
        let (before, after) = row.split_once("0x1,DXGI").unwrap();
        [before.as_bytes(), chain, b",", runtime, after.as_bytes(), b"\n"].concat()
    };
    // The units are found in the first rows, which are read in another way.
    let first = with(b"0x1", b"DXGI").repeat(300);
    // In the last row two invalid cells are valid side by side.
    let others = [with(b"\xff", b"DXGI"), with("\u{e9}".as_bytes(), b"DXGI"), with(b"0x\xc3", b"\xa9")].concat();
    let reading = csv_rows::read(&[heading.as_bytes(), b"\n", &first, &others].concat()[..], "p.csv").unwrap();
    assert_eq!((reading.log.presents.len(), reading.left_out), (303, 0));
    let last: Vec<&str> = reading.log.presents[300..].iter().map(|one| one.chain.swap_chain.as_str()).collect();
    assert_eq!(last, ["\u{fffd}", "\u{e9}", "0x\u{fffd}"]);
}

#[test]
fn a_heading_without_a_column_that_is_needed_is_refused() {
    let fault = PresentLog::parse(&FIRST.replace("msUntilDisplayed", "later"), "p.csv").unwrap_err().to_string();
    assert_eq!(
        fault,
        "p.csv:1:14: expected a column MsUntilDisplayed or DisplayLatency with CPUBusy, found none of that name"
    );
    assert!(PresentLog::parse("", "p.csv").is_err());
}

#[test]
fn while_a_program_flips_a_silent_compositor_leaves_the_display_its_rate() {
    let row = |(program, ms): (&str, u64)| {
        format!("{program}.exe,1,0x9,DXGI,1,0,0,0.{ms:03},0.1,1,0,Hardware: Independent Flip,1,5\n")
    };
    let refreshes = |flips: bool| {
        let mut rows = vec![("dwm", 100), ("dwm", 110), ("dwm", 120), ("dwm", 200)];
        rows.extend(flips.then_some(("game", 150)));
        let heading = FIRST.lines().next().unwrap().to_owned() + "\n";
        let plan = plan(&read(&(heading + &rows.into_iter().map(row).collect::<String>())).log, &parameters(&[]));
        assert_eq!((plan.chains.len(), plan.displays[0].refresh_millihertz), (usize::from(flips), 100_000));
        let at_ns = plan.displays[0].refreshes_at_ns.iter();
        at_ns.map(|at_ns| (at_ns + plan.begin_ns) / 1_000_000).collect::<Vec<u64>>()
    };
    assert_eq!(refreshes(false), [105, 115, 125, 205]);
    assert_eq!(refreshes(true), [105, 115, 125, 135, 145, 155, 165, 175, 185, 195, 205]);
}

fn parameters(set: &[(&str, &str)]) -> Parameters {
    let set = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Parameters::new(PARAMETERS, set.collect()).unwrap()
}

/// Rows of one swap chain: milliseconds of Present, and from it to the end of the GPU work.
fn tearing(frames: impl IntoIterator<Item = (f64, f64)>) -> String {
    let row = |(at_ms, gpu_ms): (f64, f64)| {
        let (at_s, shown_ms) = (at_ms / 1000.0, gpu_ms + 0.05);
        format!("game.exe,7,0x1,DXGI,0,512,0,{at_s:.6},0.1,11,1,Hardware: Independent Flip,{gpu_ms:.4},{shown_ms:.4}\n")
    };
    FIRST.lines().next().unwrap().to_owned() + "\n" + &frames.into_iter().map(row).collect::<String>()
}

#[test]
fn a_full_queue_loses_no_present() {
    let stalled = (0..20).map(|frame| (1000.0 + f64::from(frame) * 6.0, 400.0 - f64::from(frame) * 6.0));
    let later = (0..200).map(|frame| (1500.0 + f64::from(frame) * 11.0, 3.0));
    let log = read(&tearing(stalled.chain(later))).log;
    let parameters = parameters(&[]);
    let plan = plan(&log, &parameters);
    let frames = run(&log, &plan, &MemorySession::with_driver("reference"), &parameters).unwrap();
    let numbers: Vec<u64> = frames.iter().flatten().map(|(_, number)| *number).collect();
    assert_eq!(numbers, (1..=220).collect::<Vec<u64>>());
}

#[test]
fn latency_after_an_earlier_frame_is_no_gpu_cost() {
    let costs = |text: &str| {
        let log = read(text).log;
        gpu_cost::gpu_costs(&log, &plan(&log, &parameters(&[])).chains, |_| AdapterId::FIRST)
    };
    let queued = tearing((0..4).map(|frame| (1000.0 + f64::from(frame) * 11.0, 24.0)));
    assert_eq!(costs(&queued), [24_000_000, 11_000_000, 11_000_000, 11_000_000]);
    // Frames that end together cost nothing after the first; one that starts on an idle engine costs its latency.
    let hitch = tearing([(1000.0, 150.0), (1006.0, 144.0), (1200.0, 3.0)]);
    assert_eq!(costs(&hitch), [150_000_000, 0, 3_000_000]);
}

/// Rows of one swap chain of a game, with the compositor or without: Runtime, PresentMode, and milliseconds of Present
/// and of display.
fn shown(runtime: &str, mode: &str, frames: impl IntoIterator<Item = (f64, f64)>) -> String {
    let row = |(at_ms, shown_ms): (f64, f64)| {
        let (at_s, after_ms) = (at_ms / 1000.0, shown_ms - at_ms);
        format!("game.exe,7,0x1,{runtime},1,0,0,{at_s:.6},0.1,11,0,{mode},1,{after_ms:.4}\n")
    };
    FIRST.lines().next().unwrap().to_owned() + "\n" + &frames.into_iter().map(row).collect::<String>()
}

/// Frames shown at every refresh of this period, presented 5 ms before.
fn at_refreshes(period_ms: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..60).map(move |frame| f64::from(frame) * period_ms + 1000.0).map(|shown_ms| (shown_ms - 5.0, shown_ms))
}

#[test]
fn without_a_compositor_the_rate_is_inferred_from_display_times() {
    let display = |text: &str, rate| {
        let display = plan(&read(text).log, &parameters(&[("fps", rate)])).displays.remove(0);
        ((display.refresh_millihertz + 500) / 1000, display.is_variable, display.source, display.refreshes_at_ns.len())
    };
    let flipped = shown("DXGI", "Hardware: Independent Flip", at_refreshes(1000.0 / 144.0));
    let (hertz, is_variable, source, refreshes) = display(&flipped, "0");
    assert_eq!((hertz, is_variable, source), (144, false, RefreshSource::DisplayTimes));
    // The refreshes go back to the begin of the simulation, 100 ms before the first present.
    assert_eq!(refreshes, 60 + 15);
    let (hertz, _, source, _) = display(&flipped, "120");
    assert_eq!((hertz, source), (120, RefreshSource::Parameter));
    assert_eq!(display(&tearing([(1000.0, 3.0)]), "0"), (60, false, RefreshSource::Assumed, 0));
    let times: Vec<f64> =
        (0..60).map(|frame| 1000.0 + f64::from(frame * 10) + f64::from(frame * 37 % 29) / 10.0).collect();
    let variable = shown("DXGI", "Hardware: Independent Flip", times.into_iter().map(|ms| (ms - 5.0, ms)));
    let (_, is_variable, source, refreshes) = display(&variable, "0");
    assert_eq!((is_variable, source, refreshes), (true, RefreshSource::DisplayTimes, 0));
}

#[test]
fn runtime_and_mode_decide_the_swap_effect() {
    let effects = |runtime, mode| {
        let log = read(&shown(runtime, mode, at_refreshes(1000.0 / 60.0))).log;
        let (plan, session) = (plan(&log, &parameters(&[])), MemorySession::with_driver("reference"));
        run(&log, &plan, &session, &parameters(&[])).unwrap();
        let created = session.events().into_iter().map(|event| event.name);
        let creations = created.filter(|name| name.starts_with("Create") && name.contains("SwapChain"));
        (plan.chains[0].model, creations.collect::<Vec<_>>())
    };
    assert_eq!(effects("DXGI", "Composed: Flip"), (PresentModel::Flip, vec!["CreateSwapChainForHwnd"]));
    assert_eq!(effects("DXGI", "Composed: Copy with GPU GDI"), (PresentModel::Blt, vec!["CreateSwapChain"]));
    assert_eq!(effects("D3D9", "Hardware: Legacy Flip"), (PresentModel::Direct3D9, vec!["CreateAdditionalSwapChain"]));
    assert_eq!(effects("Other", "Hardware: Legacy Flip"), (PresentModel::LegacyFlip, vec!["CreateSwapChainForHwnd"]));
}

#[test]
fn flips_queue_where_frames_are_shown_although_the_next_frame_was_ready() {
    let waiting_flip = |rows: &str, flips| {
        let text = FIRST.lines().next().unwrap().to_owned() + "\n" + rows;
        plan(&read(&text).log, &parameters(&[("flips", flips)])).chains[0].waiting_flip
    };
    // Two frames are ready 20 ms before the first of them is shown.
    let row = |at: &str, dropped: u32, interval: u32, tears: u32, shown_ms: u32| {
        let mode = "Hardware: Independent Flip";
        format!("game.exe,7,0x1,DXGI,{interval},0,{dropped},{at},0.1,11,{tears},{mode},2,{shown_ms}\n")
    };
    let both_shown = row("1.000", 0, 0, 0, 30) + &row("1.008", 0, 0, 0, 38);
    let first_dropped = row("1.000", 1, 0, 0, 0) + &row("1.008", 0, 0, 0, 22);
    assert_eq!(waiting_flip(&both_shown, "inferred"), WaitingFlip::Queue);
    assert_eq!(waiting_flip(&first_dropped, "inferred"), WaitingFlip::Replace);
    assert_eq!(waiting_flip(&both_shown, "replace"), WaitingFlip::Replace);
    assert_eq!(waiting_flip(&first_dropped, "queue"), WaitingFlip::Queue);
    // Frames with an interval and frames that tear are no evidence.
    for (interval, tears) in [(1, 0), (0, 1)] {
        let rows = row("1.000", 0, interval, tears, 30) + &row("1.008", 0, interval, tears, 38);
        assert_eq!(waiting_flip(&rows, "inferred"), WaitingFlip::Replace, "{interval} {tears}");
    }
}

#[test]
fn programs_that_flip_at_the_same_time_have_displays_of_their_own() {
    let flipped = shown("DXGI", "Hardware: Independent Flip", at_refreshes(1000.0 / 144.0));
    let other = shown("DXGI", "Hardware: Independent Flip", at_refreshes(1000.0 / 60.0)).replace("0x1,", "0x2,");
    let frames = at_refreshes(1000.0 / 144.0).map(|(at_ms, shown_ms)| (at_ms + 10_000.0, shown_ms + 10_000.0));
    let later = shown("DXGI", "Hardware: Independent Flip", frames).replace("0x1,", "0x3,");
    let rows = [&other, &later].map(|text| text.lines().skip(1).map(|row| format!("{row}\n")).collect::<String>());
    let plan = plan(&read(&(flipped + &rows.concat())).log, &parameters(&[]));
    let hertz: Vec<u64> = plan.displays.iter().map(|display| (display.refresh_millihertz + 500) / 1000).collect();
    assert_eq!(hertz, [144, 60]);
    let displays: Vec<u32> = plan.chains.iter().map(|chain| chain.positions[0].display).collect();
    assert_eq!(displays, [0, 1, 0]);
}
