//! Example of the document, call by call.

use super::app::App;
use taut_schemas::{BindFlags, Call, ColorWriteEnable, Decoder, EventCode, Field, Opcode, d3d11_context_ddi as ddi};

/// Formats an event of the interface.
fn words(code: EventCode, row: &[u8]) -> Option<String> {
    macro_rules! lines {
        ([$found:ident] $(
            $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* $(with $with:ident)? = $method:ident $arguments:tt -> $Output:ty;
        )*) => { $(
            if code == EventCode::new($id, Opcode::Start) {
                $found = Some(format!("{:?}", ddi::$Name::decode(&mut Decoder::new(row)).unwrap()));
            } else if code == EventCode::new($id, Opcode::Stop) {
                let answer = <ddi::$Name as Call>::Output::decode(&mut Decoder::new(row)).unwrap();
                $found = Some(format!("  {answer:?}"));
            }
        )* };
    }
    let mut found = None;
    taut_schemas::d3d11_context_ddi_device_calls! { lines found }
    taut_schemas::d3d11_context_ddi_resource_calls! { lines found }
    taut_schemas::d3d11_context_ddi_view_calls! { lines found }
    taut_schemas::d3d11_context_ddi_state_calls! { lines found }
    taut_schemas::d3d11_context_ddi_context_calls! { lines found }
    taut_schemas::d3d11_context_ddi_command_list_calls! { lines found }
    let found = found.map(in_hex);
    // Empty results are omitted, and so are function tables, which are long.
    found.filter(|text| text != "  ()" && !text.contains("FunctionTable"))
}

/// Formats handles, which are addresses, as hexadecimal numbers.
fn in_hex(text: String) -> String {
    let mut parts = text.split("DriverHandle(");
    let mut hex = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').unwrap();
        hex += &format!("0x{:x}{rest}", number.parse::<u64>().unwrap());
    }
    hex
}

struct Dump(String);

impl Dump {
    fn after(&mut self, app: &App, call: &str) {
        self.0.push_str(&format!("{call}\n"));
        let all_events = app.world.tap.events.iter().filter_map(|(code, row)| words(*code, row));
        all_events.for_each(|text| self.0.push_str(&format!("    {text}\n")));
    }
}

/// Also rules H-01, H-20 and H-23: four handles, one pair of polls, one size query.
#[test]
fn h01_a_texture_copied_in_three_deferred_contexts_has_four_handles() {
    let mut app = App::new("d3d11on12-like");
    let mut dump = Dump(String::new());
    dump.after(&app, "D3D11CreateDevice");
    let contexts = [(); 3].map(|()| app.deferred());
    dump.after(&app, "CreateDeferredContext, the third");
    let source = app.texture(BindFlags::SHADER_RESOURCE);
    dump.after(&app, "CreateTexture2D");
    let created = app.world.ddi::<ddi::CreateResource>();
    let target = app.texture(BindFlags::SHADER_RESOURCE);
    let size_queries = app.audit.questions;
    for context in contexts {
        app.copy(context, target, source);
        dump.after(&app, &format!("CopyResource on {context:?}"));
        app.copy(context, target, source);
        dump.after(&app, "again");
    }
    assert_eq!(app.audit.handles_of(created[0].handle.driver_handle), 4);
    assert_eq!((app.audit.polls.len(), size_queries, app.audit.questions), (2, 2, 2));
    app.release(source).unwrap();
    dump.after(&app, "Release of the texture");
    let lists = contexts.map(|context| app.finish(context, false));
    dump.after(&app, "FinishCommandList, the third");
    for list in lists {
        app.release(list).unwrap();
        dump.after(&app, "Release of a list");
    }
    insta::assert_snapshot!("the_documents_example", dump.0);
    app.release(target).unwrap();
    contexts.into_iter().for_each(|context| assert_eq!(app.release(context), Ok(0)));
    app.end();
}

#[test]
fn h07_h08_a_blend_state_has_no_arguments_and_a_view_its_resource_alone() {
    let mut app = App::new("multi-size");
    let mut dump = Dump(String::new());
    let context = app.deferred();
    let blend = app.blend(ColorWriteEnable::ALL);
    dump.after(&app, "CreateBlendState");
    app.set_blend(context, blend);
    dump.after(&app, "OMSetBlendState");
    let texture = app.texture(BindFlags::SHADER_RESOURCE);
    dump.after(&app, "CreateTexture2D");
    let view = app.view(texture);
    dump.after(&app, "CreateShaderResourceView");
    app.set_view(context, view);
    dump.after(&app, "SetShaderResources");
    let list = app.finish(context, false);
    dump.after(&app, "FinishCommandList");
    insta::assert_snapshot!("a_blend_state_and_a_view", dump.0);
    for object in [list.0, view.0, texture.0, blend.0, context.0] {
        app.release(taut_schemas::ObjectId(object)).unwrap();
    }
    app.end();
}
