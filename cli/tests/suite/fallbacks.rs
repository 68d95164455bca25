//! Tests of drivers that build no command lists: the application sees no difference (rule H-82), only the DDI calls
//! differ.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::taut;

use std::path::Path;
use taut::Taut;
use taut_analyze::diff::diff_calls;
use taut_schemas::{
    BindFlags, BlendDesc, D3d11ContextId, RenderTargetBlendDesc, ShaderStage, Texture2dDesc, d3d11, format::Format,
};
use taut_testkit::{Recording, d3d11_device, replayed};
use taut_traces::Trace;

/// Records a program that records lists on two deferred contexts and executes them.
fn record(file: &Path, driver: &str) -> Trace {
    let session = Recording::under(driver).session(file);
    let created = d3d11_device(&session);
    let device = created.device;
    let contexts = [(); 2].map(|()| session.call(d3d11::CreateDeferredContext { device, flags: 0 }).unwrap());
    let desc = Texture2dDesc {
        width: 16,
        height: 16,
        mip_levels: 1,
        array_size: 1,
        format: Format::R8G8B8A8_UNORM,
        bind_flags: BindFlags::SHADER_RESOURCE,
        ..Default::default()
    };
    let textures = [(); 2].map(|()| {
        let create = d3d11::CreateTexture2D { device, desc, initial_data: false };
        session.call(create).unwrap()
    });
    let view = session.call(d3d11::CreateShaderResourceView { device, resource: textures[0], desc: None }).unwrap();
    let desc = BlendDesc { render_targets: vec![RenderTargetBlendDesc::default()], ..Default::default() };
    let blend_state = session.call(d3d11::CreateBlendState { device, desc }).unwrap();
    let record = |context: D3d11ContextId| {
        let [destination, source] = textures;
        session.call(d3d11::CopyResource { context, destination, source }).unwrap();
        let (stage, start_slot, views) = (ShaderStage::PIXEL, 0, vec![view]);
        session.call(d3d11::SetShaderResources { context, stage, start_slot, views }).unwrap();
        let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
        session.call(d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask }).unwrap();
        session.call(d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }).unwrap();
    };
    for context in contexts {
        record(context);
        let (restore_deferred_context_state, want_command_list) = (true, true);
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        let command_list = session.call(finish).unwrap();
        let restore_context_state = true;
        for context in [created.immediate_context, contexts[1]] {
            session.call(d3d11::ExecuteCommandList { context, command_list, restore_context_state }).unwrap();
        }
        session.call(d3d11::Release { object: command_list.into() }).unwrap();
        record(created.immediate_context);
    }
    session.call(d3d11::Release { object: device.into() }).unwrap();
    session.finish().unwrap();
    Trace::open(file).unwrap()
}

#[test]
fn h82_two_traces_of_a_program_differ_at_the_drivers_interface_alone() {
    let folder = tempfile::tempdir().unwrap();
    let traces = ["multi-size", "d3d10umd-like"].map(|name| record(&folder.path().join(name), name));
    let diff = diff_calls(&traces[0], &traces[1]).unwrap();
    let differences: Vec<String> = diff.fields.iter().map(|field| format!("{} {}", field.call, field.field)).collect();
    assert!(diff.is_identical(), "{differences:?}: calls and answers are the same");
    // The comparison leaves out DDI calls, of which the traces have few in common.
    let outcomes = traces.each_ref().map(replayed);
    assert!(outcomes.iter().all(|outcome| outcome.is_identical()));
    assert_eq!(outcomes[0].calls, outcomes[1].calls);
    assert_ne!(outcomes[0].ddi_calls, outcomes[1].ddi_calls);
}

/// Output of `taut diff` for the same program with a driver that builds lists, one that builds none, and one that is
/// also not free-threaded: the calls are the same, and only figures of the driver's handles differ.
#[test]
fn h82_the_difference_of_fallbacks_is_the_drivers_side_alone() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let sound = taut.stdout(&["drivers", "multi-size"]);
    assert!(sound.contains("threading_caps = 5"), "{sound}");
    std::fs::write(folder.path().join("no-lists.toml"), sound.replace("threading_caps = 5", "threading_caps = 1"))
        .unwrap();
    let drivers = ["multi-size", "no-lists.toml", "d3d10umd-like"];
    for (number, driver) in drivers.into_iter().enumerate() {
        let file = format!("{number}.taut");
        let set = ["--threads", "1", "--set", "lists=2", "--driver", driver, "-o", &file];
        taut.stdout(&[&["record", "deferred-contexts"], &set[..]].concat());
    }
    let outputs = ["1.taut", "2.taut"].map(|other| {
        let run = taut.run(&["diff", "0.taut", other]);
        let names =
            run.stdout.lines().filter_map(|line| line.strip_prefix(' ')?.split_once('.')).map(|(report, _)| report);
        assert!(
            names.clone().count() > 5 && names.clone().all(|report| report == "handles" || report == "health"),
            "{}",
            run.stdout
        );
        run.stdout
    });
    insta::assert_snapshot!(outputs.join("\n"));
}
