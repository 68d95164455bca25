//! The pages in docs/ match the definitions in the code.

use crate::golden::{client_trace, trace};
use crate::imported::imported_trace;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use taut_analyze::docs::report_page;
use taut_analyze::memory::{Allocation, Backing, Moment, NewResource, World, WorldBuilder};
use taut_analyze::presents::CaptureAgreement;
use taut_analyze::reports::alignment::{AlignmentFigures, BufferFloor, BufferUses};
use taut_analyze::reports::handles::{FieldFigures, PlacementFigures, SetConflictFigures};
use taut_analyze::reports::pgo::{Distribution, ProcessorFigures, TasksOn, TimeFigures, VariantTime};
use taut_analyze::reports::present::{CaptureFigures, SlowLinkFigures};
use taut_analyze::reports::{LogDifferenceFigures, definitions_used};
use taut_analyze::{Analysis, Findings, REPORTS};
use taut_schemas::{AdapterId, AllocationInfo, HeapType, MipRegion, ResourceDesc, ResourceId, ResourceSizes};
use taut_tables::TABLES;
use taut_tables::docs::tables_page;

/// Compares a page with its file; writes the file if `BLESS=1` is set.
fn assert_page_matches(file: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == page, "docs/{file} is not what the code says: BLESS=1 cargo test -p taut-analyze writes it");
}

#[test]
fn the_pages_match_the_code() {
    REPORTS
        .iter()
        .for_each(|report| assert_page_matches(&format!("reports/{}.md", report.name()), &report_page(*report)));
    assert_page_matches("tables.md", &tables_page());
}

/// The file names in a folder, up to the first dot.
fn names_in(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    entries.map(|name| name.split('.').next().unwrap().to_owned()).collect()
}

#[test]
fn every_report_has_a_folder_of_its_name_a_line_in_the_list_and_a_page() {
    let listed: BTreeSet<String> = REPORTS.iter().map(|report| report.name().to_owned()).collect();
    let of_its_own = |name: &String| {
        let code = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/reports").join(name).join("mod.rs");
        std::fs::read_to_string(code).is_ok_and(|code| code.contains("impl Report for"))
    };
    let folders: BTreeSet<String> = names_in("src/reports").into_iter().filter(of_its_own).collect();
    assert_eq!(folders, listed);
    assert_eq!(names_in("../docs/reports"), listed);
}

#[test]
fn every_table_has_a_file_of_its_name_and_a_line_in_the_list() {
    let listed: BTreeSet<String> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    let of_its_own = |name: &String| {
        let code = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tables/src/tables/{name}.rs"));
        std::fs::read_to_string(code).is_ok_and(|code| code.contains("const TABLE: Table = "))
    };
    let files: BTreeSet<String> = names_in("../tables/src/tables").into_iter().filter(of_its_own).collect();
    assert_eq!(files, listed);
}

/// Source of sizes in which every buffer has its width, at an alignment of 256 bytes.
struct TightBuffers;

impl ResourceSizes for TightBuffers {
    fn placed(&self, _: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo> {
        let size_bytes = desc.width.next_multiple_of(256);
        Some(AllocationInfo { size_bytes, alignment_bytes: 256 })
    }

    fn committed(&self, _: AdapterId, _: &ResourceDesc) -> Option<AllocationInfo> {
        None
    }
}

/// Two buffers that could share memory.
fn two_disjoint_buffers() -> World {
    let mut builder = WorldBuilder::default();
    for id in [ResourceId(1), ResourceId(2)] {
        let desc = ResourceDesc::buffer(256);
        let backing = Backing::Committed { implicit_heap_bytes: 4096, heap_type: HeapType::DEFAULT };
        let allocation = Some(Allocation { size_bytes: 256, alignment_bytes: 256 });
        let new = NewResource { id, desc, mip_region: MipRegion::default(), backing, allocation };
        builder.create_resource(Moment::default(), new);
        builder.release_resource(Moment::default(), id);
    }
    builder.finish(Moment::default(), Moment::default())
}

/// A buffer with a use that requires an alignment, and a budget of a heap type.
fn bound_buffers() -> AlignmentFigures {
    let (uses, floor_bytes, alignment_bytes) = (vec!["shader table"], 64, Some(16));
    let name = "tables".to_owned();
    let floor = BufferFloor { resource: 1, name: name.clone(), uses: uses.clone(), floor_bytes, alignment_bytes };
    let uses = BufferUses { uses, floor_bytes, alignment_bytes, buffers: 1, is_below_floor: true, example: name };
    let mut figures = AlignmentFigures::of(&two_disjoint_buffers());
    (figures.residency[0].budget_bytes, figures.residency[0].over_budget_ratio) = (Some(4096), Some(0.0));
    AlignmentFigures { buffer_uses: vec![uses], buffer_floors: vec![floor], ..figures }
}

/// Keys that only a recording with times contains.
fn timed() -> serde_json::Value {
    let by_processor = ProcessorFigures { tasks_on: TasksOn::TheSame, frame_time: Distribution::default() };
    let time = TimeFigures::default();
    serde_json::json!({ "time": time, "by_variant": [{ "time": VariantTime::default() }], "by_processor": [by_processor] })
}

/// Keys that only the recording of a capture contains, of all swap chains and of one.
fn captured() -> [serde_json::Value; 2] {
    let agreement = CaptureAgreement::default();
    let of_chain = CaptureFigures { application: "game.exe".to_owned(), agreement };
    [serde_json::json!({ "capture": agreement }), serde_json::json!(of_chain)]
}

/// Keys that only the recording of a file with outcomes of calls contains.
fn differing() -> serde_json::Value {
    let text = String::new;
    let group = LogDifferenceFigures {
        kind: "refused",
        call: text(),
        logged: text(),
        live: text(),
        rule: text(),
        description: text(),
        count: 1,
        first_line: 1,
    };
    serde_json::json!({ "log_differences": [group] })
}

/// Keys that only a trace of a driver with fields contains.
fn fields() -> serde_json::Value {
    let field = FieldFigures { alternatives: vec![PlacementFigures::default()], ..FieldFigures::default() };
    serde_json::json!({ "fields": [field], "by_set": [SetConflictFigures::default()] })
}

#[test]
fn every_figure_has_a_definition_and_every_definition_a_figure() {
    let analysis = Analysis::new(trace()).unwrap().with_sizes(Arc::new(TightBuffers));
    let findings = Findings::of(&analysis, REPORTS).unwrap();
    for (report, (name, result)) in REPORTS.iter().zip(&findings.results) {
        let defined: BTreeSet<&str> = report.definitions().iter().map(|definition| definition.key).collect();
        assert_eq!(defined.len(), report.definitions().len(), "{name} defines a key twice");
        // Every figure of that report has a value in an imported trace only.
        let windows = (*name == "windows").then(|| report.run(&Analysis::new(imported_trace()).unwrap()).unwrap().json);
        // Those of this one, in the trace of a program only.
        let client = (*name == "client").then(|| report.run(&Analysis::new(client_trace()).unwrap()).unwrap().json);
        let mut used = definitions_used(windows.as_ref().or(client.as_ref()).unwrap_or(&result.json));
        let sharing = serde_json::to_value(AlignmentFigures::of(&two_disjoint_buffers())).unwrap();
        let bound = serde_json::to_value(bound_buffers()).unwrap();
        let (timed, slow) = (timed(), serde_json::to_value(SlowLinkFigures::default()).unwrap());
        if *name == "alignment" {
            used.extend(definitions_used(&sharing));
            used.extend(definitions_used(&bound));
        }
        if *name == "pgo" {
            used.extend(definitions_used(&timed));
        }
        let ([capture, captured_chain], differing, fields) = (captured(), differing(), fields());
        if *name == "health" {
            used.extend([&capture, &differing].into_iter().flat_map(definitions_used));
        }
        if *name == "handles" {
            used.extend(definitions_used(&fields));
        }
        if *name == "present" {
            used.extend([&slow, &capture, &captured_chain].into_iter().flat_map(definitions_used));
        }
        assert!(used.remove("verdict"), "{name} has no verdict");
        let undefined: Vec<_> = used.difference(&defined).collect();
        assert!(undefined.is_empty(), "{name} has figures without a definition: {undefined:?}");
        let unused: Vec<_> = defined.difference(&used).collect();
        assert!(unused.is_empty(), "{name} defines what no figure has: {unused:?}");
    }
}

#[test]
fn every_table_has_its_declared_columns_in_order_and_type() {
    let analysis = Analysis::new(trace()).unwrap();
    for table in TABLES {
        // The lake has more columns of calls than a query can name.
        let names: Vec<String> = table.columns_of(&analysis).into_iter().map(|column| column.name).collect();
        let lake = table.frame(&analysis, None).unwrap();
        assert!(names.iter().all(|name| lake.get_column_index(name).is_some()), "{}", table.name);
        let frame = table.frame(&analysis, Some(&names)).unwrap();
        let found: Vec<(String, String)> =
            frame.schema().iter().map(|(name, kind)| (name.to_string(), kind.to_string())).collect();
        let kind = |column: &taut_tables::TableColumn| match column.kind.name() {
            "text" => "str".to_owned(),
            other => other.to_owned(),
        };
        let columns = table.columns_of(&analysis);
        let declared: Vec<(String, String)> =
            columns.iter().map(|column| (column.name.clone(), kind(column))).collect();
        assert_eq!(found, declared, "{}", table.name);
        // Each column can be read alone.
        for column in declared.iter().map(|(name, _)| name.clone()) {
            let alone = table.frame(&analysis, Some(std::slice::from_ref(&column))).unwrap();
            assert_eq!((alone.width(), alone.height()), (1, frame.height()), "{}.{column}", table.name);
        }
    }
}
