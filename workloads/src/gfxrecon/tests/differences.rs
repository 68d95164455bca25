//! Comparison of the capture's outcomes with the model's.

use super::{SAMPLE, open};
use crate::gfxrecon::run;
use taut_capture::{Adapters, Clock, Session};
use taut_runtime::Settings;
use taut_schemas::DifferenceKind;

/// Plays a text in a session whose calls have the messages of the debug layer.
fn summary(text: &str) -> crate::gfxrecon::CaptureSummary {
    let session = Session::unrecorded(Adapters::named("reference").unwrap(), Settings::default(), Clock::Logical);
    run(open(text).unwrap(), &session).unwrap()
}

/// A creation that succeeded in the capture and that the runtime refuses, twice, with its release.
fn refused() -> String {
    let row = |index: u64, handle: u64| {
        format!(
            "{{\"index\":{index},\"method\":{{\"name\":\"CreateCommittedResource3\",\"thread\":2,\"object\":{{\"type\":\"ID3D12Device10\",\
             \"handle\":3}},\"return\":\"S_OK\",\"args\":{{\"pHeapProperties\":{{\"Type\":\"D3D12_HEAP_TYPE_DEFAULT\",\"CPUPageProperty\":\
             \"D3D12_CPU_PAGE_PROPERTY_UNKNOWN\",\"MemoryPoolPreference\":\"D3D12_MEMORY_POOL_UNKNOWN\",\"CreationNodeMask\":\"0b1\",\
             \"VisibleNodeMask\":\"0b1\"}},\"HeapFlags\":\"0x00000000\",\"pDesc\":{{\"Dimension\":\"D3D12_RESOURCE_DIMENSION_BUFFER\",\
             \"Alignment\":0,\"Width\":65536,\"Height\":1,\"DepthOrArraySize\":1,\"MipLevels\":1,\"Format\":\
             \"DXGI_FORMAT_R8_UNORM\",\"SampleDesc\":{{\"Count\":1,\"Quality\":0}},\"Layout\":\
             \"D3D12_TEXTURE_LAYOUT_ROW_MAJOR\",\"Flags\":\"0x00000000\",\"SamplerFeedbackMipRegion\":\
             {{\"Width\":0,\"Height\":0,\"Depth\":0}}}},\"InitialLayout\":\"D3D12_BARRIER_LAYOUT_UNDEFINED\",\
             \"pOptimizedClearValue\":null,\"pProtectedSession\":0,\"NumCastableFormats\":0,\"pCastableFormats\":null,\
             \"riidResource\":\"IID_ID3D12Resource\",\"ppvResource\":{handle}}}}}}}\n"
        )
    };
    format!("{SAMPLE}{}{}", row(80, 2000), row(81, 2001))
}

#[test]
fn refused_calls_are_grouped_with_the_rule_and_the_first_row() {
    let summary = summary(&refused());
    let groups = &summary.log.differences.groups;
    let refused: Vec<_> = groups.iter().filter(|group| group.kind == DifferenceKind::REFUSED).collect();
    assert_eq!(refused.len(), 1, "{groups:#?}");
    assert_eq!((refused[0].call, refused[0].calls, refused[0].first_line), ("CreateCommittedResource3", 2, 55));
    assert_eq!((refused[0].logged.as_str(), refused[0].live.as_str()), ("S_OK", "E_INVALIDARG"));
    assert_eq!(summary.log.differences.calls(DifferenceKind::ACCEPTED), 1);
    insta::assert_snapshot!(summary.log.to_string());
}

#[test]
fn answers_that_differ_are_grouped_with_the_rule() {
    let changed = SAMPLE.replace(
        "\"return\":{\"SizeInBytes\":1024,\"Alignment\":256}",
        "\"return\":{\"SizeInBytes\":65536,\"Alignment\":65536}",
    );
    let summary = summary(&changed);
    let groups = &summary.log.differences.groups;
    let answers: Vec<_> = groups.iter().filter(|group| group.kind == DifferenceKind::ANSWER).collect();
    assert_eq!(answers.len(), 1, "{groups:#?}");
    assert_eq!((answers[0].calls, answers[0].rule.as_str()), (2, "A-13"));
    let marks: Vec<_> = summary.log.differences.marks().collect();
    assert_eq!(marks.len(), groups.len());
    assert_eq!((marks[0].calls, marks[0].first_line), (groups[0].calls, groups[0].first_line));
}
