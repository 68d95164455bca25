//! Verdicts are one sentence that is true for any trace.

use crate::background::{Action, Mode, draw};
use crate::golden::{client_trace, trace};
use crate::imported::imported_trace;
use crate::plain_text::draw_report;
use crate::tiling::stores;
use crate::trace_builder::TraceBuilder;
use proptest::prelude::*;
use taut_analyze::{Analysis, Findings, REPORTS, ReportResult, Verdict, report};
use taut_schemas::{EventHandle, FurtherMeasurements, TileFormat, d3d12, d3d12_ddi};
use taut_tiling::{Layout, Rect, Surface, WriteOrder};
use taut_traces::Trace;

const NULL: EventHandle = EventHandle::NULL;

fn verdict_of(name: &str, trace: Trace) -> Verdict {
    let analysis = Analysis::new(trace).unwrap();
    let findings = Findings::of(&analysis, &[report(name).unwrap()]).unwrap();
    findings.results[0].1.verdict.clone().expect("a verdict")
}

fn verdict(name: &str, write: impl FnOnce(&mut TraceBuilder)) -> Verdict {
    let mut trace_builder = TraceBuilder::new();
    write(&mut trace_builder);
    verdict_of(name, trace_builder.finish())
}

fn cut(write: impl FnOnce(&mut TraceBuilder)) -> Trace {
    let mut trace_builder = TraceBuilder::new();
    write(&mut trace_builder);
    let mut bytes = trace_builder.bytes();
    bytes.truncate(bytes.len() - 10);
    Trace::from_bytes(bytes).unwrap()
}

/// Checks that the verdict is one sentence and that its figures are in the JSON.
fn is_sound(result: &ReportResult) {
    let Some(verdict) = &result.verdict else {
        assert!(result.json["not_applicable"].is_string(), "{}", result.json);
        return;
    };
    let sentence = &verdict.sentence;
    assert!(sentence.starts_with(char::is_uppercase) && sentence.ends_with('.'), "{sentence}");
    assert!(!sentence.contains("..") && !sentence.contains(". ") && !sentence.contains("  "), "{sentence}");
    assert!(!sentence.contains("onverge"), "{sentence}");
    for figure in &verdict.figures {
        assert!(["bytes", "ratio", "count"].contains(&figure.unit), "{figure:?}");
        assert_eq!(figure.value.is_null(), figure.text == "–", "{figure:?}");
    }
    assert_eq!(result.json["verdict"], serde_json::to_value(verdict).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// The trace is truncated at any position, and any of its bytes is changed.
    #[test]
    fn a_verdict_is_one_sentence_whatever_the_trace(keep in 0.0_f64..1.0, place in 0.0_f64..1.0, flip in 0_u8..=255) {
        let mut bytes = trace_bytes();
        let at = (bytes.len() as f64 * place) as usize;
        bytes[at] ^= flip;
        bytes.truncate((bytes.len() as f64 * (0.5 + keep / 2.0)) as usize);
        let Ok(trace) = Trace::from_bytes(bytes) else { return Ok(()) };
        let Ok(analysis) = Analysis::new(trace) else { return Ok(()) };
        let Ok(findings) = Findings::of(&analysis, REPORTS) else { return Ok(()) };
        findings.results.iter().for_each(|(_, result)| is_sound(result));
        let (_, health) = findings.results.last().unwrap();
        let is_called_whole = health.verdict.as_ref().unwrap().sentence.starts_with("The recording is complete");
        prop_assert!(!is_called_whole || analysis.head().unwrap().is_whole());
    }
}

fn trace_bytes() -> Vec<u8> {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.create_heap(1, 1 << 20);
    trace_builder.create_placed((2, 1, 0), 1000);
    trace_builder.create_committed(7, 1000, &[(1000, 256), (1000, 4096)]);
    trace_builder.play_until_converged();
    trace_builder.bytes()
}

#[test]
fn every_report_of_the_golden_trace_has_a_verdict() {
    let analysis = Analysis::new(trace()).unwrap();
    let findings = Findings::of(&analysis, REPORTS).unwrap();
    for (name, result) in &findings.results {
        // The golden trace is a recording of a workload.
        assert_eq!(result.verdict.is_some(), !["windows", "client"].contains(name), "{name}");
        is_sound(result);
    }
    let analysis = Analysis::new(imported_trace()).unwrap();
    let findings = Findings::of(&analysis, &[report("windows").unwrap()]).unwrap();
    assert!(findings.results[0].1.verdict.is_some());
    is_sound(&findings.results[0].1);
    let client = report("client").unwrap().run(&Analysis::new(client_trace()).unwrap()).unwrap();
    assert!(client.verdict.is_some());
    is_sound(&client);
}

#[test]
fn an_empty_trace_is_whole_and_empty() {
    let found = verdict("health", |_| {});
    assert!(
        found.sentence.starts_with("The recording is complete and empty; the runtime reported no driver violation"),
        "{found:?}"
    );
    assert_eq!(found.figures.clone().map(|figure| figure.text), ["0", "0", "0"]);
}

#[test]
fn a_trace_that_was_cut_is_not_called_whole_and_its_losses_are_not_called_known() {
    let found = verdict_of("health", cut(|w| w.create_heap(1, 65536)));
    assert!(found.sentence.starts_with("The recording is incomplete (it was interrupted"), "{found:?}");
    assert!(found.sentence.contains("in the records that remain"), "{found:?}");
    assert_eq!(found.figures[0].text, "0 known");
}

#[test]
fn heaps_without_a_resource_are_wasted() {
    let found = verdict("alignment", |w| w.create_heap(1, 65536));
    let wording = "64.0 KiB allocated in heaps without a resource.";
    assert!(found.sentence.starts_with("At peak (") && found.sentence.ends_with(wording), "{found:?}");
    assert_eq!(found.figures.map(|figure| figure.value), [65536, 0, 65536].map(serde_json::Value::from));
}

#[test]
fn a_resource_whose_size_the_trace_does_not_hold_is_not_called_free() {
    let found = verdict("alignment", |w| {
        w.create_heap(1, 65536);
        w.api(
            d3d12::CreatePlacedResource { heap: taut_schemas::HeapId(1), ..Default::default() },
            Ok(taut_schemas::ResourceId(2)),
            |_| {},
        );
    });
    assert!(
        found.sentence.starts_with("Incomplete trace: at peak (")
            && found.sentence.ends_with("in heaps without a resource; the trace has no size of 1 resource."),
        "{found:?}"
    );
}

#[test]
fn the_headline_has_what_implicit_heaps_round_up_to() {
    let found = verdict("alignment", |w| {
        w.create_committed(1, 1000, &[(1000, 256), (1000, 4096)]);
        w.create_committed(2, 1000, &[(1000, 256), (1000, 4096)]);
    });
    assert!(
        found.sentence.ends_with("8.00 KiB allocated for 1.95 KiB of data, 6.05 KiB wasted (75.6 %)."),
        "{found:?}"
    );
    assert_eq!(found.figures.map(|figure| figure.value), [8192, 2000, 6192].map(serde_json::Value::from));
}

#[test]
fn waste_heaps_and_resources_are_of_one_moment() {
    let found = verdict("alignment", |w| {
        w.create_heap(1, 1 << 20);
        w.create_placed((2, 1, 0), 1000);
    });
    // The tail of the heap is wasted as well: the rest of 1 MiB.
    assert!(found.sentence.contains("1.00 MiB allocated for 1000 B of data, 1023 KiB wasted (99.9 %)"), "{found:?}");
    assert_eq!(
        found.figures.map(|figure| figure.value),
        [1 << 20, 1000, (1 << 20) - 1000].map(serde_json::Value::from)
    );
    let advice = "Fix first: 1 unused tail of heaps; shrinking heaps to their resources saves 960 KiB.";
    assert_eq!(found.advice.as_deref(), Some(advice));
}

#[test]
fn a_driver_that_was_queried_is_quoted() {
    let found = verdict("pgo", TraceBuilder::play_until_converged);
    let wording = "The run is not stable: after the driver's last answer 1 frame of the same work";
    assert!(found.sentence.starts_with(wording), "{found:?}");
    assert_eq!(found.figures[1].text, "2 of 2");
    let found = verdict("pgo", |w| {
        w.begin_background();
        w.set_mode((Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, NULL), (true, true), |_| {});
    });
    assert_eq!(found.sentence, "The run is not stable: the driver still requests measurements after pass 1.");
}

#[test]
fn tasks_queued_after_the_last_answer_are_reported() {
    let found = verdict("pgo", |w| {
        w.begin_background();
        w.frame(1, &[draw(0, 100, 100)]);
        w.set_mode((Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, NULL), (true, false), |_| {});
        w.submit(2, &[(0, false)]);
        w.complete(2, vec![draw(0, 100, 100)], |w| w.queue(1, 1));
    });
    assert!(
        found.sentence.ends_with("after the driver's last answer the driver queued task 1 for lighting."),
        "{found:?}"
    );
}

#[test]
fn a_driver_that_was_not_queried_is_not_quoted() {
    let found = verdict("pgo", |w| {
        w.begin_background();
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, NULL), (false, false), |_| {});
    });
    assert_eq!(
        found.sentence,
        "The run is not stable: the application never queried the driver for further measurements."
    );
    assert_eq!(found.figures[2].text, "–");
}

/// Two calls in which the application queries the driver; `inside` adds the driver's events. The runtime returns
/// `desired`.
fn query_twice(desired: bool, inside: fn(&mut TraceBuilder)) -> impl Fn(&mut TraceBuilder) {
    move |w| {
        w.begin_background();
        for _ in 0..2 {
            let (mode, want_further) = (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, true);
            let call = d3d12::SetBackgroundProcessingMode { mode, want_further, ..Default::default() };
            w.api(call, Ok(FurtherMeasurements { desired }), inside);
        }
    }
}

fn result_of(name: &str, trace: Trace) -> ReportResult {
    let analysis = Analysis::new(trace).unwrap();
    Findings::of(&analysis, &[report(name).unwrap()]).unwrap().results.remove(0).1
}

#[test]
fn b09_without_a_ddi_call_the_driver_has_no_background_processing_and_the_run_is_stable() {
    let stable = "The run is stable: the driver has no background processing, so that every draw executes the generic shaders \
         (0 frames with the same work).";
    // An answer that nobody gave breaks the rule and is no answer.
    let unsupported = "The run is not stable: the application queried the driver 2 times for further measurements, and the \
                       driver does not support the query.";
    for (desired, wording, cause) in [(false, stable, None), (true, unsupported, Some("unsupported"))] {
        let mut trace_builder = TraceBuilder::new();
        query_twice(desired, |_| {})(&mut trace_builder);
        let result = result_of("pgo", trace_builder.finish());
        assert_eq!(result.verdict.as_ref().unwrap().sentence, wording);
        assert_eq!(result.json["driver_answers"], 0);
        assert_eq!(result.json["unfit"]["cause"].as_str(), cause);
        assert_eq!(result.json["fit_to_measure"], cause.is_none());
        let answers = result.json["by_pass"].as_array().unwrap().iter().map(|pass| &pass["further_desired"]);
        assert!(answers.clone().count() == 3 && answers.clone().all(|answer| answer.is_null()));
    }
}

#[test]
fn b07_a_driver_that_leaves_its_output_unwritten_was_queried() {
    let unwritten =
        |w: &mut TraceBuilder| w.ddi_with(d3d12_ddi::SetBackgroundProcessingMode0063::default(), None, |_| {});
    let mut trace_builder = TraceBuilder::new();
    query_twice(false, unwritten)(&mut trace_builder);
    let result = result_of("pgo", trace_builder.finish());
    assert_eq!(
        result.verdict.as_ref().unwrap().sentence,
        "The run is not stable: the application queried the driver 2 times for further measurements, and the driver left \
         every answer unwritten."
    );
    let text = draw_report(&result);
    assert!(text.contains("answers that the driver left unwritten"), "{text}");
    let found = verdict("pgo", |w| {
        query_twice(false, unwritten)(w);
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, NULL), (true, true), |_| {});
    });
    assert!(found.sentence.contains("the driver still requests measurements after pass 3"), "{found:?}");
}

#[test]
fn a_truncated_trace_claims_nothing_about_missing_parts() {
    let whole = ["No leaks: all heaps and resources", "Every call returned.", "none lost"];
    let written = |w: &mut TraceBuilder| {
        w.create_heap(1, 65536);
        w.release_heap(1);
    };
    let mut trace_builder = TraceBuilder::new();
    written(&mut trace_builder);
    let wording = draw_report(&result_of("health", trace_builder.finish()));
    let text_of_cut = draw_report(&result_of("health", cut(written)));
    for sentence in whole {
        assert!(wording.contains(sentence) && !text_of_cut.contains(sentence), "{sentence}: {text_of_cut}");
    }
}

#[test]
fn a_cut_trace_that_maps_nothing_has_no_report_of_tiling() {
    for write in [|_: &mut TraceBuilder| {}, |w: &mut TraceBuilder| w.create_heap(1, 65536)] {
        let result = result_of("tiling", cut(write));
        assert_eq!(result.verdict, None, "{}", result.json);
    }
    let mapped = cut(|w| {
        w.bind_textures(64, 64);
        w.map_texture(TileFormat::TILE_Y, 256, 64);
        w.unmap_texture();
    });
    let text = draw_report(&result_of("tiling", mapped));
    assert!(text.contains("was interrupted") && text.contains("no store is recorded"), "{text}");
}

#[test]
fn the_tiling_verdict_compares_cost_to_the_ideal() {
    let written = |order| {
        verdict("tiling", |w| {
            w.bind_textures(64, 64);
            w.map_texture(TileFormat::TILE_Y, 256, 64);
            let surface = Surface::new(Layout::TileY, 256, 64).unwrap();
            w.write_texture(stores(&surface, Rect::from_origin(256, 64), order, 16));
            w.unmap_texture();
        })
    };
    let best = written(WriteOrder::TileOrder);
    assert!(best.sentence.ends_with("take 256 transactions, the minimum."), "{best:?}");
    assert_eq!(best.advice, None);
    let rows = written(WriteOrder::LinearRows);
    let cause = "16-byte stores in row order evict each 64-byte line partially filled.";
    assert!(rows.sentence.starts_with("Bus transactions are ") && rows.sentence.ends_with(cause), "{rows:?}");
    assert!(rows.advice.as_ref().is_some_and(|advice| advice.starts_with("Write in tile order")), "{rows:?}");
    let nothing = verdict("tiling", |w| {
        w.bind_textures(64, 64);
        w.map_texture(TileFormat::TILE_Y, 256, 64);
        w.unmap_texture();
    });
    assert_eq!(nothing.sentence, "1 tiled surface is mapped, and no store in it is recorded.");
}
