//! Sequences of events, one per state of a present.

use super::*;

const PROCESS: u32 = 7;
const CONTEXT: u64 = 0xC0;

/// Presents and counts of events, each on a stream. The stamps count the events from 1. Streams 1 and 2 belong to one
/// process, 3 to another.
fn tracked(events: Vec<(u32, PresentEvent)>) -> ImportedPresents {
    let processes = [(1, PROCESS), (2, PROCESS), (3, 8)].into_iter().collect();
    let mut tracker = PresentTracker::with_processes(processes);
    for ((stream, event), stamp) in events.into_iter().zip(1..) {
        tracker.on_event(At { stamp, thread: stream }, event);
    }
    tracker.finish()
}

/// As [`tracked`], on stream 1.
fn on_one_thread(events: impl IntoIterator<Item = PresentEvent>) -> ImportedPresents {
    tracked(events.into_iter().map(|event| (1, event)).collect())
}

fn api_start() -> PresentEvent {
    PresentEvent::ApiStart { swap_chain: Some(0x5C), is_test: false }
}

fn blit(is_redirected: bool) -> PresentEvent {
    PresentEvent::Blit { window: Some(0x10), is_redirected }
}

fn flip() -> PresentEvent {
    PresentEvent::Flip { source: Some(0) }
}

fn packet(sequence: u64) -> PresentEvent {
    PresentEvent::Packet { context: CONTEXT, sequence }
}

fn packet_done(sequence: u64) -> PresentEvent {
    PresentEvent::PacketDone { context: CONTEXT, sequence }
}

fn end() -> PresentEvent {
    PresentEvent::KernelEnd { window: Some(0x10), is_cross_adapter: Some(true) }
}

fn token(model: u64) -> PresentEvent {
    PresentEvent::TokenStart { token: 1, model }
}

fn hardware_flip(sequence: u64, is_plane: bool, is_done: bool) -> PresentEvent {
    PresentEvent::HardwareFlip { sequence, is_plane, is_done }
}

fn sync(sequence: u64) -> PresentEvent {
    PresentEvent::Sync { sequence: Some(sequence) }
}

/// The only present.
fn only(found: &ImportedPresents) -> ImportedPresent {
    assert_eq!(found.presents.len(), 1, "{found:?}");
    found.presents[0]
}

#[test]
fn a_flip_is_displayed_by_the_vertical_synchronization_with_its_sequence() {
    let found = on_one_thread([flip(), packet(5), end(), PresentEvent::Sync { sequence: None }, sync(5)]);
    let present = only(&found);
    assert_eq!((present.path, present.shown_stamp), (PresentPath::HardwareLegacyFlip, Some(5)));
    assert_eq!((present.process, present.start_stamp, present.is_cross_adapter), (PROCESS, 1, Some(true)));
    assert_eq!((found.counts.vertical_syncs, found.counts.syncs_of_unknown_flips), (2, 0));
}

#[test]
fn an_end_without_flags_leaves_the_adapter_unknown() {
    let end = PresentEvent::KernelEnd { window: None, is_cross_adapter: None };
    assert_eq!(only(&on_one_thread([flip(), end])).is_cross_adapter, None);
}

#[test]
fn the_planes_of_a_present_are_one_present() {
    let found = on_one_thread([flip(), flip(), packet(5), end()]);
    assert_eq!(only(&found).path, PresentPath::HardwareLegacyFlip);
    let found = on_one_thread([flip(), packet(5), flip()]);
    assert_eq!((found.presents.len(), found.counts.starts_without_end), (2, 2));
}

#[test]
fn an_immediate_flip_is_displayed_when_the_hardware_receives_it() {
    let found = on_one_thread([flip(), packet(5), end(), hardware_flip(5, false, true)]);
    assert_eq!(only(&found).shown_stamp, Some(4));
    let found = on_one_thread([flip(), packet(5), end(), hardware_flip(5, false, false)]);
    assert_eq!(only(&found).shown_stamp, None);
}

#[test]
fn a_copy_without_a_token_is_displayed_at_the_end_of_its_packet() {
    let path = PresentPath::HardwareLegacyCopyToFrontBuffer;
    for events in [[blit(false), packet(5), end(), packet_done(5)], [blit(false), packet(5), packet_done(5), end()]] {
        let stamp = events.iter().position(|event| *event == packet_done(5)).unwrap() as u64 + 1;
        let present = only(&on_one_thread(events));
        assert_eq!((present.path, present.shown_stamp, present.window), (path, Some(stamp), Some(0x10)));
    }
}

#[test]
fn the_path_of_a_copy_for_the_compositor_is_unknown() {
    let copy = on_one_thread([blit(false), packet(5), token(3), end(), packet_done(5)]);
    let redirected = on_one_thread([blit(true), packet(5), end(), packet_done(5)]);
    for found in [copy, redirected] {
        assert_eq!((only(&found).path, only(&found).shown_stamp), (PresentPath::Unknown, None));
    }
}

#[test]
fn a_token_with_the_model_of_a_redirected_flip_is_a_composed_flip() {
    let found = on_one_thread([token(REDIRECTED_FLIP), packet(5), end()]);
    assert_eq!((only(&found).path, only(&found).submission), (PresentPath::ComposedFlip, PresentSubmission::Token));
    assert_eq!((found.counts.tokens_started, found.counts.tokens_open, found.counts.tokens_without_present), (1, 1, 0));
}

#[test]
fn tokens_of_gdi_are_no_presents() {
    let found = on_one_thread([token(1), PresentEvent::TokenStop { token: 1, model: 1 }]);
    assert_eq!((found.presents.len(), found.counts.tokens_ended, found.counts.tokens_without_present), (0, 1, 1));
    let found = on_one_thread([PresentEvent::TokenStop { token: 1, model: 1 }]);
    assert_eq!((found.counts.tokens_ended, found.counts.token_ends_without_start), (0, 1));
}

#[test]
fn a_reused_token_belongs_to_the_last_present_that_started_it() {
    let found = on_one_thread([
        blit(false),
        token(3),
        end(),
        PresentEvent::TokenStop { token: 1, model: 3 },
        token(REDIRECTED_FLIP),
        end(),
        PresentEvent::TokenStop { token: 1, model: REDIRECTED_FLIP },
    ]);
    let paths: Vec<PresentPath> = found.presents.iter().map(|present| present.path).collect();
    assert_eq!(paths, [PresentPath::Unknown, PresentPath::ComposedFlip]);
    assert_eq!((found.counts.tokens_started, found.counts.tokens_ended), (2, 2));
}

#[test]
fn a_composed_flip_becomes_independent_where_the_hardware_flips_it() {
    let composed = [token(REDIRECTED_FLIP), packet(5), end()];
    let independent = PresentEvent::IndependentFlip { context: CONTEXT, sequence: 5 };
    let expected = [
        (independent.clone(), PresentPath::HardwareIndependentFlip),
        (hardware_flip(5, false, false), PresentPath::HardwareIndependentFlip),
        (hardware_flip(5, true, false), PresentPath::HardwareComposedIndependentFlip),
        (PresentEvent::IndependentFlip { context: 0, sequence: 5 }, PresentPath::ComposedFlip),
    ];
    for (event, path) in expected {
        let found = on_one_thread(composed.clone().into_iter().chain([event, sync(5)]));
        assert_eq!((only(&found).path, only(&found).shown_stamp), (path, Some(5)));
    }
    let both = composed.into_iter().chain([independent, hardware_flip(5, true, false)]);
    assert_eq!(only(&on_one_thread(both)).path, PresentPath::HardwareComposedIndependentFlip);
}

#[test]
fn a_call_of_dxgi_and_its_events_in_the_kernel_are_one_present() {
    let found = on_one_thread([api_start(), flip(), packet(5), end(), PresentEvent::ApiStop, sync(5)]);
    let present = only(&found);
    assert_eq!((present.start_stamp, present.swap_chain, present.shown_stamp), (1, Some(0x5C), Some(6)));
    assert_eq!((found.counts.starts_without_end, found.counts.ends_without_start), (0, 0));
}

#[test]
fn another_thread_of_the_process_submits_a_call_that_has_returned() {
    let call = [(1, api_start()), (1, PresentEvent::ApiStop)];
    let of =
        |stream| call.clone().into_iter().chain([(stream, flip()), (stream, packet(5)), (stream, end())]).collect();
    let found = tracked(of(2));
    assert_eq!((only(&found).path, only(&found).stream), (PresentPath::HardwareLegacyFlip, 1));
    assert_eq!((found.counts.starts_without_end, found.counts.ends_without_start), (0, 0));
    assert_eq!(tracked(of(3)).presents.len(), 2);
}

#[test]
fn a_call_without_events_of_the_kernel_has_an_unknown_path() {
    let present = only(&on_one_thread([api_start(), PresentEvent::ApiStop]));
    assert_eq!((present.path, present.submission), (PresentPath::Unknown, PresentSubmission::Api));
    assert_eq!((present.shown_stamp, present.is_cross_adapter), (None, None));
}

#[test]
fn a_test_of_a_present_is_none() {
    let test = PresentEvent::ApiStart { swap_chain: None, is_test: true };
    let found = on_one_thread([test, PresentEvent::ApiStop]);
    assert_eq!((found.presents.len(), found.counts.tests), (0, 1));
}

#[test]
fn ends_from_before_the_trace_are_counted() {
    let found = on_one_thread([end(), sync(5), PresentEvent::ApiStop]);
    let counts =
        PresentCounts { ends_without_start: 2, vertical_syncs: 1, syncs_of_unknown_flips: 1, ..Default::default() };
    assert_eq!((found.presents.len(), found.counts), (0, counts));
}

#[test]
fn presents_in_progress_at_the_first_display_are_untracked() {
    let first = [flip(), packet(5), end(), flip(), packet(6), end(), sync(5)];
    let later = [sync(6), flip(), packet(7), end(), sync(7)];
    let found = on_one_thread(first.into_iter().chain(later));
    let shown: Vec<_> = found.presents.iter().map(|present| (present.shown_stamp, present.is_untracked)).collect();
    assert_eq!(shown, [(Some(7), false), (None, true), (Some(12), false)]);
}

#[test]
fn intervals_are_between_presents_of_one_source() {
    let flip = |source| PresentEvent::Flip { source: Some(source) };
    let found = on_one_thread([flip(0), end(), flip(1), end(), flip(0), end(), flip(0), end()]);
    let intervals: Vec<_> = found.presents.iter().map(|present| present.interval_ticks).collect();
    assert_eq!(intervals, [None, None, Some(4), Some(2)]);
}
