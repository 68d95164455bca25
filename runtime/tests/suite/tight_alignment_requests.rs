//! Tests of a non-zero alignment with the tight flag, under both rule sets (rule A-16).

use super::descs::*;
use super::world::World;
use taut_runtime::{Profile, Revision, RuleSet, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{HResultCode, HeapFlags, HeapType, MessageId, MessageSeverity, ResourceDesc};

const INVALID_ALIGNMENT: MessageId = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
const RGBA8: Format = Format::R8G8B8A8_UNORM;

#[test]
fn a16_under_1618_it_is_invalid() {
    let mut world = World::new("reference");
    for alignment in [8, 16, 256, KIB_4, KIB_64, 3] {
        for desc in [tight_buffer(16), tight_texture(RGBA8, 4, 4)] {
            let desc = aligned(alignment, desc);
            assert_eq!(world.info(desc).size_bytes, INVALID);
            assert_eq!(world.message_ids(), [INVALID_ALIGNMENT]);
            assert!(world.messages()[0].description.contains("Alignment must be 0"));
            assert_eq!(world.committed(desc), Err(HResultCode::E_INVALIDARG));
        }
    }
}

#[test]
fn a16_under_16194_it_is_a_floor() {
    let mut world = World::under("peer", RuleSet::R1_619_4);
    let heap = world.heap(MIB_4, 0, HeapType::DEFAULT, HeapFlags::NONE);
    for (floor, answered) in [(16, 64), (64, 64), (128, 128), (KIB_64, KIB_64)] {
        let desc = aligned(floor, tight_texture(RGBA8, 1024, 256));
        let info = world.info(desc);
        assert_eq!(info.alignment_bytes, answered, "floor {floor}");
        assert_eq!(world.check().alignment_restriction_bytes, 8, "the runtime applies the floor");
        assert_eq!((world.messages(), world.violations()), (vec![], vec![]));
        assert!(world.placed(heap, 0, desc).is_ok());
    }
    for floor in [8, 16, 256] {
        assert_eq!(world.info(aligned(floor, tight_buffer(100))).alignment_bytes, 256);
    }
}

#[test]
fn a16_under_16194_a_floor_below_the_minimum_is_raised_with_a_message() {
    let mut world = World::under("reference", RuleSet::R1_619_4);
    world.info(aligned(4, tight_buffer(16)));
    let message = &world.messages()[0];
    assert_eq!(message.severity, MessageSeverity::INFO);
    assert!(message.description.contains("ALIGNMENT_OVERRIDDEN") && message.description.contains("to 8"));
    assert_eq!(world.check().alignment_restriction_bytes, 8);
    let created = world.committed(aligned(16, tight_buffer(16))).unwrap();
    assert!(world.messages()[0].description.contains("to 4096"));
    assert_eq!(world.check().alignment_restriction_bytes, 4096);
    assert_eq!(world.desc_of(created).alignment_bytes, KIB_4);
    world.info(aligned(8, tight_buffer(16)));
    assert_eq!(world.messages(), []);
}

#[test]
fn a16_under_16194_a_floor_is_a_power_of_two_up_to_the_types_maximum() {
    let mut world = World::under("reference", RuleSet::R1_619_4);
    let heap = world.heap(MIB_4, MIB_4, HeapType::DEFAULT, HeapFlags::NONE);
    let big = tightened(msaa(RGBA8, 64, 64, 2));
    let cases: [(ResourceDesc, &[u64], &[u64]); 3] = [
        (tight_buffer(16), &[8, 256], &[24, 512, KIB_4]),
        (tight_texture(RGBA8, 4, 4), &[8, KIB_4, KIB_64], &[24, 2 * KIB_64]),
        (big, &[8, MIB_4], &[2 * MIB_4, u64::MAX]),
    ];
    for (desc, legal, illegal) in cases {
        for &floor in legal {
            assert!(world.placed(heap, 0, aligned(floor, desc)).is_ok(), "{floor} {desc:?}");
            assert_eq!(world.violations(), []);
        }
        for &floor in illegal {
            assert_eq!(world.placed(heap, 0, aligned(floor, desc)), Err(HResultCode::E_INVALIDARG));
            assert_eq!(world.message_ids(), [INVALID_ALIGNMENT]);
            assert!(world.messages()[0].description.contains(&floor.to_string()));
        }
    }
    assert!(world.committed(aligned(KIB_4, tight_buffer(16))).is_ok());
    assert!(world.committed(aligned(KIB_64, tight_buffer(16))).is_err());
}

#[test]
fn a16_under_16194_get_desc_round_trips() {
    for name in ["reference", "peer", "large-pages"] {
        let mut world = World::under(name, RuleSet::R1_619_4);
        let heap = world.heap(MIB_4, MIB_4, HeapType::DEFAULT, HeapFlags::NONE);
        for desc in [tight_buffer(100), tight_texture(RGBA8, 32, 32), tightened(msaa(RGBA8, 64, 64, 4))] {
            let created = world.placed(heap, 0, desc).unwrap();
            let answered = world.desc_of(created);
            let second = world.placed(heap, 0, answered).unwrap();
            assert_eq!(world.messages(), []);
            assert_eq!(world.desc_of(second), answered);
            let created = world.committed(desc).unwrap();
            let answered = world.desc_of(created);
            assert_ne!(world.info(answered).size_bytes, INVALID, "a query takes what either kind may ask for");
            let second = world.committed(answered).unwrap();
            assert_eq!(world.desc_of(second), answered);
        }
    }
}

#[test]
fn a11_a_floor_of_a_placed_resource_never_makes_it_a_committed_one() {
    let mut world = World::under("large-pages", RuleSet::R1_619_4);
    let heap = world.heap(4 * MIB_4, MIB_4, HeapType::DEFAULT, HeapFlags::NONE);
    for floor in [8, KIB_4, KIB_64] {
        // 2 MiB of texels: a committed texture of this size is aligned to large pages.
        let placed = world.placed(heap, 0, aligned(floor, tight_texture(RGBA8, 1024, 512))).unwrap();
        assert_eq!(world.violations(), []);
        assert_eq!(world.desc_of(placed).alignment_bytes, floor.max(KIB_64), "floor {floor}");
    }
}

#[test]
fn a12_get_desc_of_a_resource_on_large_pages_round_trips() {
    let mut world = World::under("large-pages", RuleSet::R1_619_4);
    for desc in [tight_buffer(2 << 20), tight_texture(RGBA8, 1024, 512)] {
        let created = world.committed(desc).unwrap();
        let answered = world.desc_of(created);
        assert_eq!(answered.alignment_bytes, 2 << 20);
        assert_ne!(world.info(answered).size_bytes, INVALID);
        let second = world.committed(answered).unwrap();
        assert_eq!((world.desc_of(second), world.violations()), (answered, vec![]));
        let larger = aligned(2 * answered.alignment_bytes, desc);
        assert_eq!(world.committed(larger), Err(HResultCode::E_INVALIDARG));
    }
}

#[test]
fn a16_a_trace_of_revision_1_passes_the_floor_to_the_driver() {
    let settings = Settings { rules: RuleSet::R1_619_4, revision: Revision::STATE_FIRST, ..Settings::default() };
    let mut world = World::with(driver(&Profile::named("peer").unwrap()), settings);
    let info = world.info(aligned(128, tight_texture(RGBA8, 1024, 256)));
    assert_eq!((info.alignment_bytes, world.check().alignment_restriction_bytes), (128, 128));
}

#[test]
fn a12_a_trace_of_revision_1_refuses_a_large_page_as_alignment() {
    let settings = Settings { rules: RuleSet::R1_619_4, revision: Revision::STATE_FIRST, ..Settings::default() };
    let mut world = World::with(driver(&Profile::named("large-pages").unwrap()), settings);
    assert!(world.committed(tight_buffer(2 << 20)).is_ok());
    assert_eq!(world.committed(aligned(2 << 20, tight_buffer(2 << 20))), Err(HResultCode::E_INVALIDARG));
}
