#!/usr/bin/env python3
"""Writes com/src/interfaces/*.rs and com/src/interface_names.rs from a folder of JSON files with the interfaces' IIDs, slots and signatures.

    tools/interfaces.py FOLDER

Each JSON file maps an interface to {"iid", "extends", "slots", "methods": [{"slot", "name", "returns", "args"}]}. The
output depends on nothing else; run `cargo fmt` after it.
"""

import json
import pathlib
import re
import sys

FILES = {
    "object": ("d3d12.h, interfaces that all objects share.", ["ID3D12Object", "ID3D12DeviceChild", "ID3D12Pageable"]),
    "device": ("d3d12.h, ID3D12Device to ID3D12Device3.", ["ID3D12Device", "ID3D12Device1", "ID3D12Device2", "ID3D12Device3"]),
    "command_queue": ("d3d12.h, queues and allocators.", ["ID3D12CommandQueue", "ID3D12CommandAllocator"]),
    "command_list": ("d3d12.h, command lists.", ["ID3D12CommandList", "ID3D12GraphicsCommandList", "ID3D12GraphicsCommandList1", "ID3D12GraphicsCommandList2"]),
    "resource": ("d3d12.h, memory, fences and descriptors.", ["ID3D12Heap", "ID3D12Resource", "ID3D12Fence", "ID3D12DescriptorHeap"]),
    "pipeline": ("d3d12.h, pipelines, signatures and query heaps.", ["ID3D12RootSignature", "ID3D12PipelineState", "ID3D12QueryHeap", "ID3D12CommandSignature"]),
    "blob": ("d3dcommon.h.", ["ID3D10Blob"]),
    "dxgi": ("dxgi.h to dxgi1_6.h, factories and adapters.", ["IDXGIObject", "IDXGIFactory", "IDXGIFactory1", "IDXGIFactory2", "IDXGIFactory3", "IDXGIFactory4", "IDXGIFactory5", "IDXGIFactory6", "IDXGIAdapter", "IDXGIAdapter1", "IDXGIAdapter2", "IDXGIAdapter3", "IDXGIAdapter4"]),
    "dxcore": ("dxcore_interface.h.", ["IDXCoreAdapterFactory", "IDXCoreAdapterList", "IDXCoreAdapter"]),
}

SCALARS = {
    "BOOL": "u32", "WINBOOL": "u32", "DWORD": "u32", "HWND": "usize", "HMODULE": "usize", "LUID": "Luid", "FLOAT": "f32", "INT": "i32", "SIZE_T": "usize", "UINT": "u32", "UINT8": "u8",
    "UINT64": "u64", "size_t": "usize", "uint32_t": "u32", "bool": "bool", "HANDLE": "EventFd",
    "D3D12_GPU_VIRTUAL_ADDRESS": "u64", "D3D12_CPU_DESCRIPTOR_HANDLE": "CpuDescriptor",
    "D3D12_GPU_DESCRIPTOR_HANDLE": "GpuDescriptor", "PFN_DXCORE_NOTIFICATION_CALLBACK": "Opaque",
}

# Structures whose contents the library reads or writes.
STRUCTS = {
    "GUID": "Guid", "D3D12_RESOURCE_DESC": "ResourceDesc", "D3D12_HEAP_PROPERTIES": "HeapProperties",
    "D3D12_HEAP_DESC": "HeapDesc", "D3D12_CLEAR_VALUE": "ClearValue", "D3D12_RANGE": "Range",
    "D3D12_COMMAND_QUEUE_DESC": "CommandQueueDesc", "D3D12_DESCRIPTOR_HEAP_DESC": "DescriptorHeapDesc",
    "D3D12_CONSTANT_BUFFER_VIEW_DESC": "ConstantBufferViewDesc",
    "D3D12_SHADER_RESOURCE_VIEW_DESC": "ShaderResourceViewDesc",
    "D3D12_UNORDERED_ACCESS_VIEW_DESC": "UnorderedAccessViewDesc",
    "D3D12_RENDER_TARGET_VIEW_DESC": "RenderTargetViewDesc",
    "D3D12_PLACED_SUBRESOURCE_FOOTPRINT": "PlacedFootprint",
    "D3D12_RESOURCE_ALLOCATION_INFO": "AllocationInfo", "LUID": "Luid", "UINT": "u32", "UINT64": "u64",
    "HANDLE": "EventFd", "HWND": "usize", "DWORD": "u32", "LARGE_INTEGER": "u64", "D3D12_HEAP_FLAGS": "u32",
    "DXGI_ADAPTER_DESC": "u8", "DXGI_ADAPTER_DESC1": "u8", "DXGI_ADAPTER_DESC2": "u8", "DXGI_ADAPTER_DESC3": "u8",
    "DXGI_QUERY_VIDEO_MEMORY_INFO": "VideoMemoryInfo", "size_t": "usize", "uint32_t": "u32", "void": "u8",
    "D3D12_GPU_VIRTUAL_ADDRESS": "u64", "D3D12_VIEWPORT": "Viewport", "D3D12_RECT": "Rect",
    "D3D12_INDEX_BUFFER_VIEW": "IndexBufferView", "D3D12_VERTEX_BUFFER_VIEW": "VertexBufferView",
    "D3D12_STREAM_OUTPUT_BUFFER_VIEW": "StreamOutputBufferView", "D3D12_BOX": "CopyBox",
    "D3D12_TEXTURE_COPY_LOCATION": "TextureCopyLocation", "D3D12_TILED_RESOURCE_COORDINATE": "TiledCoordinate",
    "D3D12_TILE_REGION_SIZE": "TileRegionSize", "D3D12_RESOURCE_BARRIER": "ResourceBarrier",
    "D3D12_DISCARD_REGION": "DiscardRegion", "D3D12_QUERY_HEAP_DESC": "QueryHeapDesc",
    "D3D12_COMMAND_SIGNATURE_DESC": "CommandSignatureDesc", "D3D12_SAMPLER_DESC": "SamplerDesc",
    "D3D12_CPU_DESCRIPTOR_HANDLE": "CpuDescriptor", "D3D12_GPU_DESCRIPTOR_HANDLE": "GpuDescriptor",
    "D3D12_DEPTH_STENCIL_VIEW_DESC": "DepthStencilViewDesc", "D3D12_RESIDENCY_PRIORITY": "u32",
    "D3D12_GRAPHICS_PIPELINE_STATE_DESC": "GraphicsPipelineHead",
    "D3D12_COMPUTE_PIPELINE_STATE_DESC": "ComputePipelineHead", "D3D12_PACKED_MIP_INFO": "PackedMipInfo",
    "D3D12_PIPELINE_STATE_STREAM_DESC": "PipelineStreamDesc", "D3D12_TILE_SHAPE": "TileShape",
    "D3D12_SUBRESOURCE_TILING": "SubresourceTiling",
    "D3D12_SUBRESOURCE_RANGE_UINT64": "SubresourceBytes", "D3D12_SAMPLE_POSITION": "SamplePosition",
    "D3D12_WRITEBUFFERIMMEDIATE_PARAMETER": "ImmediateParameter", "D3D12_WRITEBUFFERIMMEDIATE_MODE": "u32",
}

# Structures that the header passes without const, but that methods only read.
READ = ["D3D12_RECT", "D3D12_SAMPLE_POSITION"]

RETURNS = {
    "HRESULT": "Hresult", "void": "()", "LPVOID": "Opaque",
    "D3D12_COMMAND_LIST_TYPE": "u32",
}

# Results that are structures.
STRUCTURES = [
    "D3D12_COMMAND_QUEUE_DESC", "D3D12_CPU_DESCRIPTOR_HANDLE", "D3D12_DESCRIPTOR_HEAP_DESC", "D3D12_GPU_DESCRIPTOR_HANDLE",
    "D3D12_HEAP_DESC", "D3D12_HEAP_PROPERTIES", "D3D12_RESOURCE_ALLOCATION_INFO", "D3D12_RESOURCE_DESC", "LUID",
]

KEYWORDS = {"type": "kind", "ref": "reference"}


def snake(name):
    name = re.sub(r"(\d+)(Bit)", r"_\1\2", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return KEYWORDS.get(name.lower(), name.lower())


def argument_type(argument):
    name, stars, const = argument["type"], argument.get("pointer", 0), argument.get("const", False)
    is_interface = bool(re.match(r"(ID3D|IDXCore|IDXGI|IUnknown)", name))
    if name == "LUID &":
        return "In<Luid>"
    if name == "LPCWSTR":
        return "WideText"
    if argument.get("array"):
        # Four words: a color, a blend factor, values of a clear.
        return "In<Words>"
    if stars == 0:
        return SCALARS.get(name, "u32")
    if is_interface:
        if stars == 1:
            return "Interface"
        return "OutPointer" if re.match("ID3DBlob|IDXGI", name) else "In<Interface>"
    if stars == 2:
        return "OutPointer" if name == "void" and not const else "Opaque"
    if name not in STRUCTS:
        return "Opaque"
    return ("In<%s>" if const or name in READ else "Out<%s>") % STRUCTS[name]


def returned_type(name):
    return RETURNS.get(name) or STRUCTS.get(name) or SCALARS[name]


def interface(name, facts):
    lines = ["interface! {", "    /// %s." % name]
    base = facts["extends"]
    iid = "0x" + facts["iid"].replace("-", "_")
    lines.append("    %s / %sTable: %s / %sTable = %s {" % (name, name, base, base, iid))
    for method in facts["methods"]:
        arguments = ", ".join("%s: %s" % (snake(a["name"]), argument_type(a)) for a in method["args"])
        # The calling conventions differ in the return of a structure.
        arrow = "=>" if method["returns"] in STRUCTURES else "->"
        lines.append("        %d %s %s(%s) %s %s;" % (
            method["slot"], snake(method["name"]), method["name"], arguments, arrow, returned_type(method["returns"])))
    return "\n".join(lines + ["    }", "}"])


def main():
    facts = {}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        facts.update(json.loads(path.read_text()))
    target = pathlib.Path(__file__).parent.parent / "com/src/interfaces"
    for file, (subject, names) in FILES.items():
        known = ["IUnknown"] if any(facts[name]["extends"] == "IUnknown" for name in names) else []
        bases = {facts[name]["extends"] for name in names} - set(names) - {"IUnknown"}
        body = "\n\n".join(interface(name, facts[name]) for name in names)
        used = [t for t in ["AllocationInfo", "ClearValue", "CommandQueueDesc", "ConstantBufferViewDesc", "CpuDescriptor",
                            "DescriptorHeapDesc", "EventFd", "GpuDescriptor", "Guid", "HeapDesc", "HeapProperties", "Hresult", "In",
                            "Interface", "Luid", "Opaque", "Out", "OutPointer", "PlacedFootprint", "Range",
                            "RenderTargetViewDesc", "ResourceDesc", "ShaderResourceViewDesc", "UnorderedAccessViewDesc",
                            "CommandSignatureDesc", "ComputePipelineHead", "CopyBox", "DepthStencilViewDesc", "DiscardRegion",
                            "GraphicsPipelineHead", "IndexBufferView", "QueryHeapDesc", "Rect", "ResourceBarrier",
                            "SamplerDesc", "StreamOutputBufferView", "TextureCopyLocation", "TiledCoordinate",
                            "TileRegionSize", "VertexBufferView", "Viewport", "Words", "PackedMipInfo", "PipelineStreamDesc",
                            "TileShape", "SubresourceTiling", "SubresourceBytes", "SamplePosition", "ImmediateParameter",
                            "WideText", "VideoMemoryInfo"]
                if re.search(r"\b%s\b" % t, body)]
        imports = "use crate::unsafe_abi::{%s};\n" % ", ".join(
            used + known + [n + "Table" for n in known]) 
        for base in sorted(bases):
            imports += "use super::{%s, %sTable};\n" % (base, base)
        (target / (file + ".rs")).write_text(
            "//! %s Written by tools/interfaces.py.\n\nuse super::define::interface;\n%s\n%s\n" % (subject, imports, body))
    named = sorted((name, known["iid"]) for name, known in facts.items() if known.get("iid"))
    (target.parent / "interface_names.rs").write_text(
        "//! Names of interfaces, for reports of queries. Written by tools/interfaces.py.\n\nuse crate::unsafe_abi::{Guid, IUNKNOWN};\n\n"
        "/// Name of the interface with this IID, or the IID.\npub fn interface_name(id: Guid) -> String {\n"
        "    let known = NAMES.iter().find(|(_, digits)| Guid::new(*digits) == id);\n"
        "    let unknown = || if id == IUNKNOWN { \"IUnknown\".to_owned() } else { id.to_string() };\n"
        "    known.map_or_else(unknown, |(name, _)| (*name).to_owned())\n}\n\n"
        "const NAMES: [(&str, u128); %d] = [\n%s];\n" % (
            len(named), "".join("    (\"%s\", 0x%s),\n" % (name, iid.replace("-", "_")) for name, iid in named)))
    modules = "".join("mod %s;\n" % file for file in sorted([*FILES, "define"]))
    uses = "".join("pub use %s::*;\n" % file for file in sorted(FILES))
    (target / "mod.rs").write_text(
        "//! List of the interfaces: slots and signatures of the methods. Written by tools/interfaces.py.\n\n" + modules + "\n" + uses)


main()
