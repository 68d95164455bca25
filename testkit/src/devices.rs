//! Devices of a session.

use taut_capture::Session;
use taut_schemas::{D3d11DeviceAndContext, DeviceId, d3d11, d3d12};

/// Feature level 11_0, which every bundled driver supports.
const FEATURE_LEVEL: u32 = 0xb000;

/// Creates a Direct3D 11 device; the result has its immediate context, too.
pub fn d3d11_device(session: &Session) -> D3d11DeviceAndContext {
    session.call(d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() }).expect("a device")
}

/// Creates a Direct3D 12 device on the first adapter.
pub fn d3d12_device(session: &Session) -> DeviceId {
    session.call(d3d12::CreateDevice { minimum_feature_level: FEATURE_LEVEL, ..Default::default() }).expect("a device")
}
