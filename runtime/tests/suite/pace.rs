use super::descs::*;
use super::world::DEVICE;
use taut_runtime::*;
use taut_schemas::*;
#[test]
fn pace() {
    let settings = Settings::default();
    let driver = driver(&Profile::named("peer").unwrap());
    let (mut device, mut objects) = (DeviceState::default(), ObjectTable::default());
    let mut tap = Silent;
    macro_rules! call {
        ($c:expr) => {{
            let c = $c;
            run(&c, &settings, &*driver, &mut device, &mut objects, &mut tap)
        }};
    }
    call!(api::CreateDevice::default()).unwrap();
    let heap = call!(api::CreateHeap {
        device: DEVICE,
        desc: HeapDesc {
            size_bytes: 1 << 30,
            properties: HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() },
            ..Default::default()
        }
    })
    .unwrap();
    let n = 1_000_000u64;
    let t = std::time::Instant::now();
    for i in 0..n {
        let r = call!(api::CreatePlacedResource {
            device: DEVICE,
            heap,
            heap_offset_bytes: (i % 1000) * 256,
            desc: tight_buffer(100),
            ..Default::default()
        })
        .unwrap();
        call!(api::ReleaseResource { resource: r }).unwrap();
    }
    println!("placed+release {:?} ns", t.elapsed().as_nanos() as u64 / n);
    let t = std::time::Instant::now();
    for _ in 0..n {
        call!(api::GetResourceAllocationInfo { device: DEVICE, visible_mask: 0, descs: vec![tight_buffer(100)] });
    }
    println!("query {:?} ns", t.elapsed().as_nanos() as u64 / n);
    let t = std::time::Instant::now();
    for _ in 0..n {
        call!(api::GetResourceAllocationInfo {
            device: DEVICE,
            visible_mask: 0,
            descs: vec![tight_texture(format::Format::BC7_UNORM, 1024, 1024)]
        });
    }
    println!("query texture {:?} ns", t.elapsed().as_nanos() as u64 / n);
    let mut live = std::collections::VecDeque::new();
    let t = std::time::Instant::now();
    let mut x = 1u64;
    for _ in 0..n {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let r = call!(api::CreateCommittedResource {
            device: DEVICE,
            heap_properties: HeapProperties { heap_type: HeapType::DEFAULT, ..Default::default() },
            desc: tight_buffer(1 + (x >> 40) % 300_000),
            ..Default::default()
        })
        .unwrap();
        live.push_back(r);
        if live.len() > 20000 {
            let at = (x >> 33) as usize % 20000;
            let r = live.swap_remove_back(at).unwrap();
            call!(api::ReleaseResource { resource: r }).unwrap();
        }
    }
    println!("committed+release, 20000 live {:?} ns", t.elapsed().as_nanos() as u64 / n);
}
fn run<C: Execute>(
    c: &C,
    settings: &Settings,
    driver: &dyn Driver,
    device: &mut DeviceState,
    objects: &mut ObjectTable,
    tap: &mut Silent,
) -> C::Output {
    let locked = Locked {
        device: C::LOCKS.device.then_some(device),
        objects: C::LOCKS.objects.then_some(objects as &mut dyn Objects),
    };
    c.execute(&mut Context { settings, driver, tap }, locked)
}
