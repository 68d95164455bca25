//! Tests of CheckFeatureSupport: bytes of the structs of d3d12.h.

use super::world::{DEVICE, World};
use taut_schemas::{Bytes, Feature, HResult, HResultCode, d3d12};

fn words(world: &mut World, feature: Feature, size_bytes: usize) -> HResult<Vec<u32>> {
    let data = Bytes(vec![0; size_bytes]);
    let answer = world.call(&d3d12::CheckFeatureSupport { device: DEVICE, feature, data })?;
    Ok(answer.0.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
}

#[test]
fn the_peer_answers_as_logged() {
    let mut world = World::new("peer");
    let options = vec![0, 1, 2, 1, 3, 1, 1, 0, 0, 40, 0, 0, 0, 1, 2];
    assert_eq!(words(&mut world, Feature::D3D12_OPTIONS, 60), Ok(options));
    assert_eq!(words(&mut world, Feature::ARCHITECTURE, 16), Ok(vec![0, 0, 1, 1]));
    assert_eq!(words(&mut world, Feature::PROTECTED_RESOURCE_SESSION_SUPPORT, 8), Ok(vec![0, 0]));
    assert_eq!(words(&mut world, Feature::D3D12_OPTIONS4, 12), Ok(vec![0, 0, 0]));
    assert_eq!(words(&mut world, Feature::D3D12_OPTIONS16, 8), Ok(vec![1, 1]));
    assert_eq!(words(&mut world, Feature::D3D12_TIGHT_ALIGNMENT, 4), Ok(vec![1]));
}

#[test]
fn wrong_sizes_unknown_features_and_other_nodes_are_invalid() {
    let mut world = World::new("reference");
    let invalid = Err(HResultCode::E_INVALIDARG);
    assert_eq!(words(&mut world, Feature::D3D12_OPTIONS, 56), invalid);
    assert_eq!(words(&mut world, Feature::D3D12_TIGHT_ALIGNMENT, 8), invalid);
    assert_eq!(words(&mut world, Feature::D3D12_TIGHT_ALIGNMENT, 0), invalid);
    assert_eq!(words(&mut world, Feature(99), 4), invalid);
    let mut data = vec![0; 16];
    data[0] = 1;
    let node = d3d12::CheckFeatureSupport { device: DEVICE, feature: Feature::ARCHITECTURE, data: Bytes(data) };
    assert_eq!(world.call(&node), Err(HResultCode::E_INVALIDARG));
}
