//! Rules of contexts and their handles.

use super::definition::{Chapter, rules};

rules! {
    mod rule, const CHAPTERS;

    "Contexts and their handles":
    H_01 "H-01" "an object that the immediate context and deferred contexts use has one driver handle in each of these \
        contexts"
        source "Context-local DDI handles: paragraphs on handles per context";
    H_02 "H-02" "the runtime opens a handle of a deferred context at the first use of the object there"
        source "Context-local DDI handles: the second handle";
    H_03 "H-03" "the handle of the immediate context is created first and destroyed last"
        source "Context-local DDI handles: order of creation and destruction";
    H_05 "H-05" "creation of a handle of a deferred context passes the handle of the immediate context in place of the \
        runtime handle"
        source "Context-local DDI handles: sample code";
    H_06 "H-06" "a deferred context creates and destroys its handles with its own device handle and through its own \
        function table"
        source "Context-local DDI handles: sample code";
    H_07 "H-07" "creation of a handle of a deferred context for an object without dependency passes null arguments"
        source "Context-local DDI handles: sample code";
    H_08 "H-08" "creation of a handle of a deferred context for an object that depends on another passes zero \
        arguments except the handle of that other object in the same context"
        source "Context-local DDI handles: views";
    H_09 "H-09" "in every context the handle of a resource is created before the handles of its views and destroyed \
        after them"
        source "Context-local DDI handles: order of creation and destruction";
    H_10 "H-10" "opening a view in a deferred context first opens the resource of the view if it is not open"
        source "Context-local DDI handles: views (inferred)";
    H_11 "H-11" "handles that live at the same time share no byte, in one context or in several"
        source "Context-local DDI handles: memory of handles";
    H_12 "H-12" "state objects of equal description are one object with one handle"
        source "d3d11.h: ID3D11Device::CreateBlendState; that unused members do not count is inferred";
    H_13 "H-13" "an object that a context has bound or open, or that a command list recorded, lives on when its public \
        reference count is 0"
        source "d3d11.h: reference counts of ID3D11DeviceContext";
    H_20 "H-20" "before the first CalcDeferredContextHandleSize the runtime calls CheckDeferredContextHandleSizes \
        twice: for the number of sizes, then for the sizes"
        source "Context-local DDI handles: CheckDeferredContextHandleSizes";
    H_21 "H-21" "a driver that builds command lists is free-threaded"
        source "d3d10umddi.h: D3D11DDI_THREADING_CAPS";
    H_22 "H-22" "each size in the driver's table has a known handle type and is not 0"
        source "Context-local DDI handles: CheckDeferredContextHandleSizes";
    H_23 "H-23" "the runtime calls CalcDeferredContextHandleSize right after the creation of an object"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_24 "H-24" "CalcDeferredContextHandleSize answers a size that the driver's table has for the type"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_25 "H-25" "the runtime calls the functions that return sizes only through the function table of the immediate \
        context"
        source "WDK: functions that deferred contexts exclude";
    H_26 "H-26" "the allocator of handle memory has size classes and reuses freed memory"
        source "Context-local DDI handles: memory of handles";
    H_27 "H-27" "the size of an object's handles does not change"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_28 "H-28" "a driver reports no error from CheckDeferredContextHandleSizes"
        source "WDK: handling errors of Direct3D 10 and 11; the poll of handle sizes";
    H_29 "H-29" "a command list also has a handle size, and a handle in each deferred context that executes it"
        source "Context-local DDI handles: command lists";
    H_31 "H-31" "no cache line has both written data and data of the immediate context's handles that deferred contexts read"
        source "Context-local DDI handles: read-only data after padding";
    H_32 "H-32" "if one context writes a cache line, no other context writes or reads it"
        source "Context-local DDI handles: false sharing";
    H_33 "H-33" "the handles of two contexts share no cache line"
        source "Context-local DDI handles: data that several contexts touch";
    H_36 "H-36" "a context accesses an open object's data through its own handle of the object, and through no handle of \
        another context"
        source "Context-local DDI handles: data that is used together lies together (inferred)";
    H_37 "H-37" "data of the immediate context's handles that deferred contexts read is not written after its creation"
        source "Context-local DDI handles: read-only data";
    H_38 "H-38" "a call on a deferred context accesses no handle of another deferred context, and writes no handle of \
        the immediate context"
        source "Context-local DDI handles: data that several contexts touch";
    H_40 "H-40" "each deferred context has its own driver handle and its own core-layer handle"
        source "d3d10umddi.h: D3D11DDIARG_CREATEDEFERREDCONTEXT";
    H_41 "H-41" "a context begins with the default state"
        source "d3d11.h: ID3D11DeviceContext::ClearState";
    H_42 "H-42" "a driver fills every function that the runtime calls in the function table of a deferred context"
        source "WDK: functions that deferred contexts exclude";
    H_43 "H-43" "a driver does not disable the deferred destruction of staging resources in a call on a deferred context"
        source "WDK: D3D11DDI_CORELAYER_DEVICECALLBACKS, deferred contexts";
    H_44 "H-44" "a recycled context has the initial state of a new context"
        source "WDK: RecycleCreateDeferredContext";
    H_46 "H-46" "the memory that a deferred context takes from its driver only grows until FinishCommandList, and is \
        then reclaimed"
        source "Context-local DDI handles: memory of deferred contexts";
    H_50 "H-50" "FinishCommandList ends open queries and maps, recycles returned lists, creates the new list, closes \
        handles, and recycles the context, in that order"
        source "WDK: supporting command lists";
    H_52 "H-52" "if a recording is abandoned, the runtime calls AbandonCommandList first and then closes every handle"
        source "WDK: supporting command lists";
    H_53 "H-53" "the runtime does not destroy a command list whose creation failed"
        source "WDK: supporting command lists";
    H_54 "H-54" "the runtime recycles a released command list while the context that made it is alive, and destroys \
        the list otherwise"
        source "WDK: supporting command lists";
    H_57 "H-57" "execution of a command list leaves nothing bound in the driver"
        source "d3d10umddi.h: PFND3D11DDI_COMMANDLISTEXECUTE";
    H_58 "H-58" "a command list that maps a resource is not executed on a context where the resource is mapped; a \
        command list that uses a query is not executed on a context where the query is begun"
        source "WDK: supporting command lists";
    H_59 "H-59" "a deferred context may execute a command list"
        source "Direct3D 11.3 Functional Specification, 6.3.7";
    H_60 "H-60" "CommandListExecute reports only that memory is exhausted or that the device is removed"
        source "WDK: CommandListExecute";
    H_61 "H-61" "a deferred context maps only dynamic resources, and its first map of a resource is a discard"
        source "d3d11.h: ID3D11DeviceContext::Map";
    H_62 "H-62" "a deferred context ignores Flush; FinishCommandList of the immediate context makes no command list"
        source "d3d11.h: ID3D11DeviceContext::FinishCommandList";
    H_63 "H-63" "FinishCommandList restores the bound state or leaves the default state; without an address for the \
        list it drops the recording"
        source "d3d11.h: ID3D11DeviceContext::FinishCommandList";
    H_64 "H-64" "ExecuteCommandList restores the bound state or leaves the default state"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_65 "H-65" "any context may execute a command list any number of times, even after the context that made the list \
        is gone"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_66 "H-66" "a command list begins with the default state"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_67 "H-67" "a query that ends in a command list is issued when the list is executed"
        source "d3d11.h: ID3D11DeviceContext::GetData";
    H_70 "H-70" "a driver reports an error of a call on the immediate context, or of a creation, with the device's \
        core-layer handle"
        source "WDK: handling errors";
    H_71 "H-71" "a driver reports an error with the core-layer handle of the context whose call it executes"
        source "WDK: introduction to deferred contexts";
    H_72 "H-72" "a driver reports an error only where the class of the call allows it; a success code is not a legal \
        error"
        source "WDK: handling errors; for deferred contexts rule X-07";
    H_73 "H-73" "a deferred context that runs out of memory loses its recording; other contexts and the device lose \
        nothing"
        source "WDK: introduction to deferred contexts";
    H_74 "H-74" "until FinishCommandList a context that is out of memory accepts every call, and the runtime passes \
        none of them to the driver"
        source "WDK: introduction to deferred contexts (inferred)";
    H_75 "H-75" "FinishCommandList of a context that ran out of memory returns E_OUTOFMEMORY, and the context can \
        record again"
        source "WDK: introduction to deferred contexts";
    H_76 "H-76" "a second error, or an error that the class of the call does not allow, removes the device for every \
        context"
        source "WDK: handling errors (removal at the second error is inferred)";
    H_77 "H-77" "functions that recycle return E_OUTOFMEMORY, and do not call the error callback"
        source "WDK: supporting command lists";
    H_78 "H-78" "the runtime neither destroys an object whose creation failed nor queries the size of its handles"
        source "WDK: handling errors";
    H_79 "H-79" "the runtime does not close a handle that could not be opened"
        source "WDK: handling errors (inferred)";
    H_80 "H-80" "calls on one context do not overlap, except creations and queries of sizes; data that these access, \
        other than that of the created object, is not written"
        source "WDK: supporting threading and command lists";
    H_81 "H-81" "functions that return sizes write nothing, and any thread may call them"
        source "WDK: retroactively requiring free-threaded CalcPrivate functions";
    H_82 "H-82" "on a driver that does not build command lists, the runtime keeps recordings and replays them on the \
        immediate context; on a driver that is not free-threaded, the runtime holds the device's lock across its calls"
        source "WDK: supporting threading, command lists, and 3-D pipeline";
    H_83 "H-83" "in each context, the runtime unbinds a resource as input before it binds the resource as output, and \
        does not bind as input a resource that is bound as output"
        source "D3D11.3 functional specification: resource hazards";
}
