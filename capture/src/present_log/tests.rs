//! Logs of both generations of columns, sound and damaged.

use super::*;

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
fn both_generations_of_columns_say_the_same() {
    let times = |text| {
        let presents = read(text).log.presents;
        presents.iter().map(|one| (one.at_ns, one.gpu_ns, one.shown_after_ns)).collect::<Vec<_>>()
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
    let told = read(&FIRST.replace("2.5,10", "two,10")).fault.unwrap().to_string();
    assert_eq!(told, "p.csv:2:13: expected a number or NA, found two");
    let earlier = read(&FIRST.replace("1.6", "1.4")).fault.unwrap().to_string();
    assert_eq!(earlier, "p.csv:3:1: expected presents of a swap chain in order of time, found an earlier one");
}

#[test]
fn a_heading_without_a_column_that_is_needed_is_refused() {
    let fault = PresentLog::parse(&FIRST.replace("msUntilDisplayed", "later"), "p.csv").unwrap_err().to_string();
    assert_eq!(fault, "p.csv:1:14: expected a column MsUntilDisplayed, found none of that name");
    assert!(PresentLog::parse("", "p.csv").is_err());
}

#[test]
fn a_silent_compositor_leaves_the_display_its_rate() {
    let row = |ms: u64| format!("dwm.exe,1,0x9,DXGI,1,0,0,0.{ms:03},0.1,1,0,Hardware: Legacy Flip,1,5\n");
    let text = FIRST.lines().next().unwrap().to_owned() + "\n" + &[100, 110, 120, 200].map(row).concat();
    let plan = plan(&read(&text).log, 1);
    assert_eq!(plan.chains, []);
    assert_eq!(plan.displays[0].refresh_millihertz, 100_000);
    let ms: Vec<u64> =
        plan.displays[0].refreshes_at_ns.iter().map(|at_ns| (at_ns + plan.begin_ns) / 1_000_000).collect();
    assert_eq!(ms, [105, 115, 125, 135, 145, 155, 165, 175, 185, 195, 205]);
}
