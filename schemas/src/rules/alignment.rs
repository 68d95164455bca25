//! Rules of the alignment and the memory of resources.

use super::definition::{Chapter, rules};

rules! {
    mod rule, const CHAPTERS;

    "Alignment without the tight flag":
    A_01 "A-01" "the alignment of a buffer is 64 KiB; that of a texture is 64 KiB, or 4 KiB if the texture is small \
        and 4 KiB is requested; that of a multisampled texture is 4 MiB, or 64 KiB if the texture is small and 64 KiB \
        is requested; the runtime refuses any other alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, Background; d3d12.h: D3D12_RESOURCE_DESC::Alignment";
    A_02 "A-02" "a texture is small if its layout is UNKNOWN, the estimated size of its most detailed mip is at most \
        the larger alignment, and it is multisampled or neither a render target nor a depth-stencil"
        source "D3D12_RESOURCE_DESC, small resources; mips and array slices other than the first do not count \
            (inferred)";
    A_03 "A-03" "the size estimate is a number of tiles of the smaller alignment: a small texture has at most 16 tiles \
        of 4 KiB, a small multisampled texture at most 64 tiles of 64 KiB"
        source "D3D12_RESOURCE_DESC, small resources";
    A_04 "A-04" "the runtime rounds the size of a buffer up to 64 KiB, and the size of any resource up to its \
        alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, Background";
    A_05 "A-05" "the alignment of a heap is 64 KiB or 4 MiB; a placed resource is of a kind that the heap's flags \
        allow, at a multiple of its alignment and within the heap's size; the runtime refuses any other heap or \
        placement"
        source "D3D12_HEAP_DESC; ID3D12Device::CreateHeap and CreatePlacedResource";

    "Tight alignment":
    A_10 "A-10" "the tight flag is legal only if the driver reports tier 1; CheckFeatureSupport reports the driver's \
        tier"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_11 "A-11" "a tight alignment is a power of two in the range of its kind of resource, and at least the minimum \
        that the runtime requests"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges; the power of two is a choice";
    A_12 "A-12" "a driver that reports large pages may align a committed allocation to the large page size if the \
        allocation's size is a multiple of that size"
        source "Direct3D 12 Tight Placed Resource Alignment, Committed Resources: note";
    A_13 "A-13" "the driver's size of a tight buffer is its width; the runtime rounds that size up to the alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd";
    A_14 "A-14" "the runtime ignores the tight flag of a resource with the cross-adapter flag, and issues a message"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_15 "A-15" "the runtime refuses the tight flag with a 64 KiB swizzle layout, and so for reserved resources"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_16 "A-16" "a nonzero alignment with the tight flag is refused under the rules 1.618, and is a minimum under the \
        rules 1.619.4"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation; its later public revision";
    A_17 "A-17" "each use of a buffer requires an alignment of its address from 16 to 256 bytes; several uses require \
        the largest of their alignments"
        source "the later public revision of the tight-alignment document, floors by use";
    A_18 "A-18" "an alignment with the tight flag is never larger than without it; large pages are the exception"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd";
    A_19 "A-19" "the tight flag of one resource changes nothing for a resource without the flag"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: default behaviour";
    A_20 "A-20" "the tight flag does not change the alignment of heaps; the offset of a placed resource is a multiple \
        of the resource's own alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: heap alignment and offsets";
    A_21 "A-21" "GetResourceAllocationInfo requests the minimum alignment of placed resources from the driver; \
        CreateCommittedResource requests that of committed resources in a second query, and the implicit heap has the \
        alignment and size of the second answer"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution (inferred)";
    A_22 "A-22" "GetDesc of a tight resource returns the alignment that the driver answered; the address of a placed \
        resource is the address of its heap plus its offset"
        source "ID3D12Resource::GetDesc and GetGPUVirtualAddress (inferred)";
    A_23 "A-23" "a tight allocation has at least 8 bytes"
        source "Direct3D 12 Tight Placed Resource Alignment, Placed Resources";
    A_24 "A-24" "the runtime passes the tight flag to the driver exactly where the API accepts the flag, and never to \
        a driver that reports no support"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution";
    A_25 "A-25" "a driver should not answer an alignment below the classic one for a resource without the tight flag"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: why a flag";

    "Several resources in one query":
    A_30 "A-30" "GetResourceAllocationInfo lays several resources out as the members of a C++ struct"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation: several descriptors";
    A_31 "A-31" "no resources have size 0 and alignment 1; one invalid description makes the whole answer invalid"
        source "ID3D12Device::GetResourceAllocationInfo (inferred from other implementations)";
    A_32 "A-32" "GetResourceAllocationInfo1 and its later forms also report offset, alignment and size of each \
        resource if the caller passes an array for them"
        source "ID3D12Device4::GetResourceAllocationInfo1";

    "Committed resources":
    A_40 "A-40" "a committed resource is one allocation of whole 4 KiB pages"
        source "Direct3D 12 Tight Placed Resource Alignment, Committed Resources";
    A_41 "A-41" "from DDI 0115 on, the runtime sets IMPLICIT in the heap flags of each committed resource, and of no \
        other heap"
        source "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps";

    "Conformance of drivers":
    A_50 "A-50" "with the cross-adapter flag, the tight flag does not change the alignment: 64 KiB, and 4 MiB for MSAA"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 1st";
    A_51 "A-51" "an alignment with the tight flag is never larger than without it, small resources included"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd";
    A_52 "A-52" "the alignment of a tight buffer of any size is at most 256 bytes, and the driver's size is the width"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd";
    A_53 "A-53" "CheckResourceAllocationInfo gives equal answers to equal queries"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd: idempotency";
    A_54 "A-54" "from DDI 0115 on, the heaps of committed resources, and no other heaps, have the flag IMPLICIT, and \
        the driver creates them"
        source "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps";
    A_55 "A-55" "tight alignments are in the documents' ranges for placed and committed resources"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges";
    A_56 "A-56" "CheckExistingResourceAllocationInfo reports of a created resource what CheckResourceAllocationInfo \
        reported before"
        source "Direct3D 12 Tight Placed Resource Alignment, DDI: IMPORTANT";
}
