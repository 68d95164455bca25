//! Expected alignment figures.

use super::log::{lines, world};
use taut_analyze::memory::Gaps;
use taut_analyze::reports::alignment::{AlignmentFigures, PeakFigure, Peaks, Snapshot};

fn figures() -> AlignmentFigures {
    AlignmentFigures::of(&world())
}

#[test]
fn the_log_has_the_lines_that_were_counted() {
    assert_eq!(lines().len(), 373_382);
    assert!(lines().iter().map(|line| line.seq).eq(0..373_382));
}

#[test]
fn totals_count_every_object_once() {
    let figures = figures();
    let totals = figures.totals;
    assert_eq!(figures.gaps, Gaps::default());
    assert_eq!((totals.heaps, totals.heap_bytes), (378, 3_205_206_016));
    assert_eq!((totals.all.resources, totals.all.placed, totals.all.committed), (117_848, 117_547, 301));
    assert_eq!(totals.heaps + totals.all.resources, 118_226);
    assert_eq!((totals.buffers.resources, totals.buffers.placed, totals.buffers.committed), (117_571, 117_400, 171));
    assert_eq!((totals.textures.resources, totals.textures.placed, totals.textures.committed), (277, 147, 130));
    assert_eq!((totals.all.placed_bytes, totals.all.committed_bytes), (4_376_860_416, 2_617_801_216));
}

#[test]
fn buffer_and_texture_sums_are_exact() {
    let totals = figures().totals;
    let buffers = totals.buffers;
    assert_eq!(buffers.requested_bytes, 3_415_836_720);
    assert_eq!(buffers.allocated_bytes, 3_421_103_104);
    assert_eq!((buffers.placed_bytes, buffers.committed_bytes), (3_064_035_840, 357_067_264));
    assert_eq!(buffers.rounding_bytes, 5_266_384);
    assert_eq!(buffers.padded_64k_bytes, 10_692_329_472);
    assert_eq!(buffers.padded_64k_bytes - buffers.allocated_bytes, 7_271_226_368);
    let textures = totals.textures;
    assert_eq!(textures.allocated_bytes, 3_573_558_528);
    assert_eq!((textures.placed_bytes, textures.committed_bytes), (1_312_824_576, 2_260_733_952));
    assert_eq!(textures.padded_64k_bytes, 0);
    assert_eq!(totals.all.allocated_bytes, buffers.allocated_bytes + textures.allocated_bytes);
}

#[test]
fn peaks_are_the_first_lines_that_reach_the_maximum() {
    let peaks = figures().peaks;
    let peak = |value, seq| PeakFigure { value, at_stamp: seq, at_seq: Some(seq) };
    let expected = Peaks {
        real_bytes: peak(3_605_266_432, 1_321),
        in_use_bytes: peak(3_423_584_256, 1_317),
        total_bytes: peak(3_604_725_760, 1_321),
        heap_bytes: peak(1_356_333_056, 1_321),
        heaps: peak(256, 1_321),
        committed_bytes: peak(2_248_392_704, 1_317),
        committed: peak(272, 1_317),
        placed_bytes: peak(1_174_650_880, 1_293),
        placed: peak(30_418, 251_001),
        allocated_bytes: peak(3_423_043_584, 1_317),
        buffer_requested_bytes: peak(524_288_000, 2_313),
        buffer_allocated_bytes: peak(524_288_000, 2_313),
        buffer_padded_64k_bytes: peak(1_993_474_048, 251_001),
    };
    assert_eq!(peaks, expected);
}

#[test]
fn snapshots_are_taken_at_the_peaks() {
    let figures = figures();
    let at = |snapshot: &Snapshot| snapshot.at_seq;
    assert_eq!((at(&figures.peak), figures.peak.all.allocated_bytes), (Some(1_317), 3_423_043_584));
    assert_eq!((at(&figures.peak_real), figures.peak_real.total_bytes), (Some(1_321), 3_604_725_760));
    assert_eq!((at(&figures.peak_placed), figures.peak_placed.all.placed_bytes), (Some(1_293), 1_174_650_880));
    assert_eq!((at(&figures.peak_count), figures.peak_count.all.placed), (Some(251_001), 30_418));
    assert_eq!(at(&figures.end), Some(373_381));
    assert_eq!((figures.end.all.resources, figures.end.heaps, figures.end.waste_ratio), (0, 0, 0.0));
}

#[test]
fn heap_layout_at_the_peak_of_placed_bytes() {
    let snapshot = figures().peak_placed;
    assert_eq!((snapshot.heaps, snapshot.heap_bytes), (244, 1_355_546_624));
    assert_eq!((snapshot.empty_heaps, snapshot.empty_heap_bytes), (204, 13_369_344));
    assert_eq!((snapshot.all.placed, snapshot.all.placed_bytes), (256, 1_174_650_880));
    let layout = snapshot.layout;
    assert_eq!((layout.covered_bytes, layout.overlap_bytes), (1_174_650_880, 0));
    assert_eq!((layout.padding_bytes, layout.hole_bytes, layout.tail_bytes), (0, 4_218_880, 176_676_864));
    assert_eq!(layout.tail_bytes - snapshot.empty_heap_bytes, 163_307_520);
    let buffers = snapshot.buffers;
    assert_eq!(
        (buffers.requested_bytes, buffers.allocated_bytes, buffers.padded_64k_bytes),
        (286_720, 286_720, 18_350_080)
    );
}

#[test]
fn heap_layout_at_the_peak_of_placed_count() {
    let snapshot = figures().peak_count;
    assert_eq!((snapshot.heaps, snapshot.heap_bytes), (4, 69_992_448));
    assert_eq!((snapshot.empty_heaps, snapshot.empty_heap_bytes), (3, 50_331_648));
    assert_eq!((snapshot.all.placed, snapshot.all.placed_bytes), (30_418, 19_660_800));
    let layout = snapshot.layout;
    assert_eq!((layout.covered_bytes, layout.overlap_bytes), (19_660_800, 0));
    assert_eq!((layout.padding_bytes, layout.hole_bytes, layout.tail_bytes), (0, 0, 50_331_648));
    let buffers = snapshot.buffers;
    assert_eq!(buffers.requested_bytes, 16_064_768);
    assert_eq!((buffers.allocated_bytes, buffers.padded_64k_bytes), (19_660_800, 1_993_474_048));
}

#[test]
fn each_heap_at_its_own_peak() {
    let sums = figures().heaps_at_own_peak;
    assert_eq!((sums.heaps, sums.heap_bytes), (161, 3_190_984_704));
    assert_eq!((sums.placed, sums.placed_bytes), (24_710, 2_908_269_056));
    assert_eq!((sums.layout.covered_bytes, sums.layout.overlap_bytes), (2_698_338_304, 209_930_752));
    assert_eq!((sums.layout.padding_bytes, sums.layout.hole_bytes), (0, 6_920_448));
    assert_eq!(sums.layout.tail_bytes, 485_725_952);
}
