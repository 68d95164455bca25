//! Tests of drivers without free threading and without command lists (rule H-82).

use super::app::{App, WITHOUT_LISTS};
use taut_schemas::{
    BindFlags, ColorWriteEnable, D3d11ContextId, D3d11ViewId, FAMILIES, MapType, Opcode, ShaderStage, d3d11,
    d3d11_context_ddi as ddi,
};

/// Returns the number of driver calls in the last call.
fn ddi_calls(app: &App) -> usize {
    let family = FAMILIES.iter().find(|family| family.provider == "d3d11_context_ddi").unwrap();
    let is = |code: taut_schemas::EventCode| {
        (family.first..=family.last).contains(&code.id()) && code.opcode() == Some(Opcode::Start)
    };
    app.world.tap.events.iter().filter(|(code, _)| is(*code)).count()
}

#[test]
fn h82_without_lists_the_driver_gets_a_recording_at_execution() {
    let mut app = App::new(WITHOUT_LISTS);
    let (immediate, context, nested) = (app.immediate, app.deferred(), app.deferred());
    assert_eq!(ddi_calls(&app), 0);
    let textures = [(); 2].map(|()| app.texture(BindFlags::SHADER_RESOURCE));
    let (view, blend, buffer) = (app.view(textures[0]), app.blend(ColorWriteEnable::RED), app.dynamic());
    assert!(app.world.ddi::<ddi::CalcDeferredContextHandleSize>().is_empty());
    let mut recorded = 0;
    for of in [nested, context] {
        app.copy(of, textures[1], textures[0]);
        app.set_view(of, view);
        recorded += ddi_calls(&app);
        app.set_blend(of, blend);
        app.set_buffer(of, buffer);
        app.map(of, buffer, MapType::WRITE_DISCARD).unwrap();
        app.unmap(of, buffer).unwrap();
        app.draw(of);
        recorded += ddi_calls(&app);
    }
    let inner = app.finish(nested, false);
    app.execute(context, inner, true);
    app.draw(context);
    let list = app.finish(context, false);
    assert_eq!(recorded + ddi_calls(&app), 0);
    app.release(inner).unwrap();
    app.release(view).unwrap();
    // The immediate context has a binding that the list must neither see nor remove.
    app.set_blend(immediate, blend);
    app.execute(immediate, list, true);
    let (copies, draws) = (app.world.ddi::<ddi::ResourceCopy>(), app.world.ddi::<ddi::Draw>());
    // Before the nested list, in it, and after it.
    assert_eq!((copies.len(), draws.len()), (2, 3));
    let blends: Vec<u64> = app.world.ddi::<ddi::SetBlendState>().iter().map(|set| set.blend_state.0).collect();
    let bound = *blends.iter().max().unwrap();
    // Unbound before, bound by the list, unbound for the nested one, bound and unbound there, bound again, and unbound.
    assert_eq!(blends, [0, bound, 0, bound, 0, bound, 0]);
    app.draw(immediate);
    assert_eq!(app.world.ddi::<ddi::SetBlendState>().len(), 1, "what was bound is told again when it is needed");
    app.flush();
    for object in [list.0, textures[0].0, textures[1].0, blend.0, buffer.0, context.0, nested.0] {
        app.release(taut_schemas::ObjectId(object)).unwrap();
    }
    app.end();
}

#[test]
fn h82_a_dead_handle_is_rejected_in_the_same_way() {
    let mut app = App::new(WITHOUT_LISTS);
    let context = app.deferred();
    let (stage, start_slot, views) = (ShaderStage::PIXEL, 0, vec![D3d11ViewId(99)]);
    assert!(app.call(&d3d11::SetShaderResources { context, stage, start_slot, views }).is_err());
    assert!(app.call(&d3d11::Draw { context: D3d11ContextId(99), ..Default::default() }).is_err());
}
