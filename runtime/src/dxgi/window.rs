//! Windows, and the changes that the window system makes to them.

use super::errors::invalid_call;
use super::reselect::apply_change;
use crate::context::Context;
use crate::kernel::{DisplayState, Window};
use taut_schemas::{HResult, WindowAssociation, WindowState, dxgi};

/// Valid flags of MakeWindowAssociation (DXGI_MWA_VALID).
const ASSOCIATIONS: WindowAssociation = WindowAssociation(0x7);

fn no_window<T>(context: &mut Context<'_>, number: u64) -> HResult<T> {
    invalid_call(context, format_args!("There is no window {number}."))
}

/// Creates a window.
pub(crate) fn create_window(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::CreateWindow,
) -> HResult<u64> {
    if display.presents.display(call.display).is_none() {
        return invalid_call(context, format_args!("There is no display {}.", call.display));
    }
    let (width, height, state) = (call.client_width, call.client_height, call.state);
    let number = display.presents.desktop.add_window(Window { width, height, display: call.display, state });
    if !state.intersects(WindowState::HIDDEN | WindowState::MINIMISED) {
        // Any visible window on the display ends full screen there, wherever the window is.
        for id in display.presents.chain_ids() {
            if let Some(chain) = display.presents.chain_mut(id).filter(|chain| chain.display == call.display) {
                chain.application.is_full_screen = false;
            }
            display.presents.update_coverage(id);
        }
    }
    Ok(number)
}

/// Moves, resizes, covers, minimises or hides a window.
pub(crate) fn set_window(context: &mut Context<'_>, display: &mut DisplayState, call: &dxgi::SetWindow) -> HResult<()> {
    let Some(shows) = display.presents.display(call.display).map(|display| display.adapter) else {
        return invalid_call(context, format_args!("There is no display {}.", call.display));
    };
    let (width, height, state) = (call.client_width, call.client_height, call.state);
    let window = Window { width, height, display: call.display, state };
    if display.presents.desktop.set_window(call.window, window).is_none() {
        return no_window(context, call.window);
    }
    for id in display.presents.chain_ids() {
        let on_window = display.presents.chain(id).filter(|chain| chain.application.window_desc.window == call.window);
        let Some((shown_on, is_removed)) = on_window.map(|chain| (chain.display, chain.application.is_removed)) else {
            continue;
        };
        // On another display another adapter may scan out, so the path is chosen again.
        if shown_on != call.display && !is_removed {
            apply_change(context, display, id, |chain| {
                chain.display = call.display;
                chain.display_adapter = shows;
            })?;
        } else if !is_removed {
            display.presents.update_coverage(id);
        }
    }
    Ok(())
}

/// IDXGIFactory::MakeWindowAssociation.
pub(crate) fn make_window_association(
    context: &mut Context<'_>,
    display: &mut DisplayState,
    call: &dxgi::MakeWindowAssociation,
) -> HResult<()> {
    if call.flags.without(ASSOCIATIONS) != WindowAssociation::NONE {
        return invalid_call(context, format_args!("MakeWindowAssociation has no flags {:?}.", call.flags));
    }
    if call.window != 0 && display.presents.desktop.window(call.window).is_none() {
        return no_window(context, call.window);
    }
    display.presents.desktop.association = call.window;
    Ok(())
}

/// IDXGIFactory::GetWindowAssociation.
pub(crate) fn get_window_association(
    _: &mut Context<'_>,
    display: &mut DisplayState,
    _: &dxgi::GetWindowAssociation,
) -> HResult<u64> {
    Ok(display.presents.desktop.association)
}
