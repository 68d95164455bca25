//! Checks C-09 and C-13: views of row-major textures that adapters share.

use super::bench::Bench;
use super::kernel::{ADAPTERS, Kernel};
use super::sampled_textures::count_samples;
use super::tally::{NotApplicable, Tally};
use taut_schemas::format::{Format, FormatClass, FormatInfo};
use taut_schemas::{
    AdapterId, CrossAdapterTier, DeviceId, Dimension, DriverCall, HResult, HeapFlags, HeapProperties, HeapType,
    PrimaryDesc, PrimaryDriverFlags, ResourceDesc, ResourceFlags, ResourceId, SCAN_OUT_FORMATS, ShaderResourceViewDesc,
    SrvDimension, TextureLayout, TextureView, UavDimension, UnorderedAccessViewDesc, d3d12, dxgi_ddi, pixel_bytes,
};

/// Kinds of views.
const VIEWS: [TextureView; 3] =
    [TextureView::SHADER_RESOURCE, TextureView::UNORDERED_ACCESS, TextureView::RENDER_TARGET];

/// Formats that a driver may scan out besides the six (rule X-11): colour formats with 4 bytes per pixel.
fn further_formats() -> impl Iterator<Item = Format> {
    let is_plain = |info: &FormatInfo| info.class == FormatClass::Color && info.unit_texels == (1, 1);
    let formats = Format::NAMES.iter().map(|(value, _)| Format(*value));
    formats.filter(move |format| {
        let has_room = |info: &FormatInfo| u64::from(info.unit_bits / 8) == pixel_bytes(*format);
        !SCAN_OUT_FORMATS.contains(format) && format.info().is_some_and(|info| is_plain(info) && has_room(info))
    })
}

/// Texture formats that no display scans out.
const OTHERS: [Format; 8] = [
    Format::R8_UNORM,
    Format::R8G8_UNORM,
    Format::R16_FLOAT,
    Format::R16G16_UNORM,
    Format::R32_FLOAT,
    Format::R11G11B10_FLOAT,
    Format::R16G16B16A16_UNORM,
    Format::R32G32B32A32_FLOAT,
];

/// True if Direct3D allows the view; unordered-access views of sRGB formats do not exist.
fn is_possible(view: TextureView, format: Format) -> bool {
    view != TextureView::UNORDERED_ACCESS || !format.is_srgb()
}

/// C-09: tier 2 requires views in the scan-out formats, which DXGI creates with Direct3D 11.
pub(super) fn views_what_is_scanned_out(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut kernel = Kernel::started(bench)?;
    let tier = kernel.tier(ADAPTERS[0]);
    if tier < CrossAdapterTier::TEXTURE {
        return Err(NotApplicable(format!("the adapter has tier {tier:?}, and views no cross-adapter texture")));
    }
    if kernel.driver.dxgi_ddi().is_none() {
        return Err(NotApplicable("the driver has no functions for DXGI".to_owned()));
    }
    let adapter = ADAPTERS[0];
    let mut tally = Tally::default();
    for format in SCAN_OUT_FORMATS.into_iter().chain(further_formats()) {
        let desc = PrimaryDesc::new(640, 480, format);
        let Ok(flags) = (dxgi_ddi::CreateResource { adapter, desc }).dispatch(kernel.driver) else { continue };
        let is_scanned_out = tier >= CrossAdapterTier::SCANOUT && flags == PrimaryDriverFlags::NONE;
        let expected_view = SCAN_OUT_FORMATS.contains(&format) || is_scanned_out;
        for view in VIEWS.into_iter().filter(|view| expected_view && is_possible(*view, format)) {
            let created = dxgi_ddi::CreateView { adapter, desc, view, format }.dispatch(kernel.driver);
            let what = || format!("{view:?} of a cross-adapter texture in {format:?}: {created:?}; expected success");
            tally.count_result(created.is_err().then(what));
        }
        // The driver's answer is irrelevant.
        let _ = dxgi_ddi::DestroyResource { adapter }.dispatch(kernel.driver);
    }
    count_samples(&kernel, &mut tally);
    Ok(tally)
}

/// C-13: the cap requires views in every texture format, on the sharing and on the opening adapter.
pub(super) fn views_every_format(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    if bench.adapter().is_none_or(|adapter| !adapter.caps.cross_adapter_row_major_texture) {
        return Err(NotApplicable("the driver does not say CrossAdapterRowMajorTextureSupported".to_owned()));
    }
    let mut kernel = Kernel::started(bench)?;
    let devices: Vec<DeviceId> = ADAPTERS.into_iter().map_while(|adapter| kernel.device(adapter).ok()).collect();
    let [shares, opens] = devices[..] else { return Err(NotApplicable("a device cannot be created".to_owned())) };
    let mut tally = Tally::default();
    for format in SCAN_OUT_FORMATS.into_iter().chain(OTHERS) {
        let both = shared(&mut kernel, [shares, opens], format);
        let what = || format!("a row-major texture in {format:?}: {both:?}; expected it to be created and opened");
        tally.count_result(both.is_err().then(what));
        let Ok(resources) = both else { continue };
        for (device, resource) in [shares, opens].into_iter().zip(resources) {
            for view in VIEWS.into_iter().filter(|view| is_possible(*view, format)) {
                let created = viewed(&mut kernel, device, resource, view, format);
                let what = || format!("{view:?} of a row-major texture in {format:?}: {created:?}; expected success");
                tally.count_result(created.is_err().then(what));
            }
        }
    }
    Ok(tally)
}

/// Creates a row-major texture on one device and opens it on another.
fn shared(kernel: &mut Kernel<'_>, [shares, opens]: [DeviceId; 2], format: Format) -> HResult<[ResourceId; 2]> {
    let unordered = if format.is_srgb() { ResourceFlags::NONE } else { ResourceFlags::ALLOW_UNORDERED_ACCESS };
    let desc = ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width: 333,
        height: 77,
        depth_or_array_size: 1,
        mip_levels: 1,
        format,
        sample_count: 1,
        layout: TextureLayout::ROW_MAJOR,
        flags: ResourceFlags::ALLOW_CROSS_ADAPTER | ResourceFlags::ALLOW_RENDER_TARGET | unordered,
        ..ResourceDesc::default()
    };
    let resource = kernel.call(&d3d12::CreateCommittedResource {
        device: shares,
        heap_properties: HeapProperties { heap_type: HeapType::DEFAULT, ..HeapProperties::default() },
        heap_flags: HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER,
        desc,
        initial_state: 0,
        clear_value: None,
    })?;
    let handle = kernel.call(&d3d12::CreateSharedHandle { device: shares, resource })?;
    let opened = kernel.call(&d3d12::OpenSharedHandle { device: opens, handle })?;
    Ok([resource, opened])
}

fn viewed(
    kernel: &mut Kernel<'_>,
    device: DeviceId,
    resource: ResourceId,
    view: TextureView,
    format: Format,
) -> HResult<()> {
    match view {
        TextureView::UNORDERED_ACCESS => {
            let view_dimension = UavDimension::TEXTURE2D;
            let desc = Some(UnorderedAccessViewDesc { format, view_dimension, ..Default::default() });
            let counter_resource = ResourceId::NULL;
            kernel.call(&d3d12::CreateUnorderedAccessView { device, resource, counter_resource, desc })
        }
        TextureView::RENDER_TARGET => kernel.call(&d3d12::CreateRenderTargetView { device, resource, format }),
        _ => {
            let view_dimension = SrvDimension::TEXTURE2D;
            let desc = Some(ShaderResourceViewDesc { format, view_dimension, ..Default::default() });
            kernel.call(&d3d12::CreateShaderResourceView { device, resource, desc })
        }
    }
}

impl Kernel<'_> {
    /// Starts an adapter and creates a device on it.
    fn device(&mut self, adapter: AdapterId) -> HResult<DeviceId> {
        self.start(adapter);
        self.call(&d3d12::CreateDevice { adapter, ..d3d12::CreateDevice::default() })
    }
}
