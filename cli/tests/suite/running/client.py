"""A Direct3D 12 client by ctypes: creates objects, uses them on four threads, and ends as its argument says."""

import ctypes
import os
import sys
import threading
from ctypes import POINTER, Structure, byref, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p


class ResourceDesc(Structure):
    _fields_ = [("dimension", c_uint32), ("alignment", c_uint64), ("width", c_uint64), ("height", c_uint32),
                ("depth", c_uint16), ("mips", c_uint16), ("format", c_uint32), ("samples", c_uint32),
                ("quality", c_uint32), ("layout", c_uint32), ("flags", c_uint32)]


class HeapProperties(Structure):
    _fields_ = [(name, c_uint32) for name in ("type", "page", "pool", "creation", "visible")]


def guid(text):
    import uuid
    return (ctypes.c_ubyte * 16)(*uuid.UUID(text).bytes_le)


DEVICE = guid("189819f1-1db6-4b57-be54-1821339b85f7")
DEVICE4 = guid("e865df17-a9ee-46f9-a463-3098315aa2e5")
RESOURCE = guid("696442be-a72e-4059-bc79-5b5c98040fad")
FENCE = guid("0a753dcf-c4d8-4b91-adf6-be5a60d95a76")
UNKNOWN = guid("00000000-0000-0000-c000-000000000046")
FACTORY = guid("78ee5945-c36e-4b13-a669-005dd11c0f06")
E_INVALIDARG, E_NOINTERFACE, E_HANDLE = 0x80070057, 0x80004002, 0x80070006
UNSUPPORTED = 0x887A0004


def call(object_, slot, *arguments, returns=c_uint32):
    """Calls a function of the object's table."""
    table = ctypes.cast(ctypes.cast(object_, POINTER(c_void_p))[0], POINTER(c_void_p))
    assert table[slot], slot
    types = [type(argument) if isinstance(argument, (ctypes._SimpleCData, Structure)) else c_void_p for argument in arguments]
    return ctypes.CFUNCTYPE(returns, c_void_p, *types)(table[slot])(object_, *arguments)


if sys.argv[1] == "daemon":
    # As a daemon does: a second process, without files and terminal of the first one.
    if os.fork() != 0:
        os._exit(0)
    os.setsid()
    os.closerange(0, 256)
    threading.Event().wait(1)

d3d12 = ctypes.CDLL("libd3d12.so")
dxcore = ctypes.CDLL("libdxcore.so")


def create_device():
    device = c_void_p()
    result = d3d12.D3D12CreateDevice(None, c_uint32(0xb000), DEVICE, byref(device))
    assert result == 0, hex(result & 0xffffffff)
    return device


def buffer(width):
    return ResourceDesc(1, 0, width, 1, 1, 1, 0, 1, 0, 1, 0)


def create_buffer(device, width):
    resource = c_void_p()
    properties = HeapProperties(2, 0, 0, 1, 1)
    result = call(device, 27, byref(properties), c_uint32(0), byref(buffer(width)), c_uint32(0xac3), None, RESOURCE,
                  byref(resource))
    assert result == 0, hex(result)
    return resource


def release(object_):
    return call(object_, 2)


def use_memory(device):
    resource = create_buffer(device, 4096)
    desc = call(resource, 10, returns=ResourceDesc)
    assert (desc.width, desc.dimension) == (4096, 1)
    for expected in (b"\0", b"x"):
        data = c_void_p()
        assert call(resource, 8, c_uint32(0), None, byref(data)) == 0
        assert ctypes.string_at(data, 1) == expected
        ctypes.memset(data, ord("x"), 4096)
        call(resource, 9, c_uint32(0), None, returns=None)
    assert release(resource) == 0


def use_fence(device):
    fence = c_void_p()
    assert call(device, 36, c_uint64(0), c_uint32(0), FENCE, byref(fence)) == 0
    event = os.eventfd(0)
    assert call(fence, 9, c_uint64(1), c_size_t(event)) == 0
    assert call(fence, 10, c_uint64(1)) == 0
    assert os.eventfd_read(event) == 1 and call(fence, 8, returns=c_uint64) == 1
    assert call(fence, 9, c_uint64(1), c_size_t(0)) == 0
    assert call(fence, 9, c_uint64(1), c_size_t(999999)) == E_INVALIDARG
    assert release(fence) == 0 and call(fence, 10, c_uint64(2)) == E_HANDLE


def create(device, slot, *arguments, interface=UNKNOWN):
    out = c_void_p()
    result = call(device, slot, *arguments, interface, byref(out))
    assert result == 0, (slot, hex(result))
    return out


def words(*values):
    return (c_uint32 * len(values))(*values)


def commands(device, heap, root, pipeline, queries, signature, resource):
    """Slots of ID3D12GraphicsCommandList with arguments, for all methods that record."""
    view = words(0, 0, 64, 42)
    barrier = (c_uint64 * 4)(0, resource.value, 0xffffffff | 0xc3 << 32, 1)
    place = (c_uint64 * 6)(resource.value, 1, 0, 28 | 4 << 32, 4 | 1 << 32, 256)
    texel = (c_uint64 * 6)(resource.value, 0, 0, 0, 0, 0)
    u32, u64 = c_uint32, c_uint64
    yield from (
        (11, None), (29, root), (30, root), (25, pipeline), (12, u32(3), u32(1), u32(0), u32(0)),
        (13, u32(3), u32(1), u32(0), ctypes.c_int32(-1), u32(0)), (14, u32(1), u32(1), u32(1)),
        (15, resource, u64(0), resource, u64(64), u64(4)), (16, byref(place), u32(0), u32(0), u32(0), byref(texel), None),
        (17, resource, resource),
        (19, resource, u32(0), resource, u32(0), u32(28)), (20, u32(4)), (21, u32(1), words(0, 0, 0, 0, 0, 0)),
        (22, u32(1), words(0, 0, 8, 8)), (23, words(1, 2, 3, 4)), (23, None), (24, u32(7)), (26, u32(1), byref(barrier)),
        (28, u32(1), byref(heap)), (31, u32(0), u64(9)), (32, u32(0), u64(9)), (33, u32(3), u32(4), u32(0)),
        (34, u32(3), u32(4), u32(0)), (35, u32(3), u32(2), words(1, 2), u32(0)), (36, u32(3), u32(2), words(1, 2), u32(0)),
        (37, u32(1), u64(64)), (38, u32(1), u64(64)), (39, u32(1), u64(64)), (40, u32(1), u64(64)), (41, u32(1), u64(64)),
        (42, u32(1), u64(64)), (43, byref(view)), (43, None), (44, u32(0), u32(1), byref(view)), (44, u32(0), u32(1), None),
        (45, u32(0), u32(1), (c_uint64 * 3)(0, 0, 0)), (46, u32(1), (c_uint64 * 1)(5), u32(0), None),
        (47, c_size_t(5), u32(1), ctypes.c_float(1), ctypes.c_uint8(2), u32(0), None),
        (48, c_size_t(5), words(1, 2, 3, 4), u32(1), words(0, 0, 1, 1)),
        (49, u64(9), c_size_t(9), resource, words(1, 2, 3, 4), u32(0), None),
        (50, u64(9), c_size_t(9), resource, words(1, 2, 3, 4), u32(0), None), (51, resource, None),
        (52, queries, u32(2), u32(0)), (53, queries, u32(2), u32(0)),
        (54, queries, u32(2), u32(0), u32(1), resource, u64(0)), (55, None, u64(0), u32(0)), (56, u32(0), b"m", u32(1)),
        (57, u32(0), b"begin", u32(5)), (58,), (59, signature, u32(1), resource, u64(0), None, u64(0)))


def use_list(device):
    allocator = create(device, 9, c_uint32(0))
    listed = create(device, 12, c_uint32(0), c_uint32(0), allocator, None)
    heap = create(device, 14, words(0, 8, 1, 0))
    root = create(device, 16, c_uint32(0), b"root", c_size_t(4))
    shader = ctypes.create_string_buffer(b"DXBC", 4)
    desc = (c_uint64 * 82)(root.value, ctypes.addressof(shader), 4)
    pipeline = create(device, 10, byref(desc))
    compute = create(device, 11, byref((c_uint64 * 7)(root.value, ctypes.addressof(shader), 4)))
    queries = create(device, 39, words(0, 4, 0))
    argument = words(0, 0, 0, 0)
    signature = create(device, 41, (c_uint64 * 3)(16 | 1 << 32, ctypes.addressof(argument), 0), None)
    resource = create_buffer(device, 4096)
    first = call(heap, 9, returns=c_size_t)
    assert first and call(heap, 10, returns=c_uint64) == first and call(device, 15, c_uint32(0)) == 32
    call(device, 21, None, None, c_size_t(first), returns=None)
    call(device, 22, words(*[0] * 13), c_size_t(first), returns=None)
    call(device, 24, c_uint32(1), c_size_t(first), c_size_t(first + 32), c_uint32(0), returns=None)
    call(device, 23, c_uint32(1), (c_size_t * 1)(first), None, c_uint32(1), (c_size_t * 1)(first + 32), words(1), c_uint32(0),
         returns=None)
    assert call(device, 34, c_uint32(2), (c_void_p * 2)(heap, resource)) == 0
    assert call(device, 35, c_uint32(1), (c_void_p * 1)(resource)) == 0
    assert call(device, 34, c_uint32(1), (c_void_p * 1)(device)) == E_INVALIDARG
    assert call(device, 46, c_uint32(1), (c_void_p * 1)(resource), words(0x78000000)) == 0
    for slot, *arguments in commands(device, heap, root, pipeline, queries, signature, resource):
        call(listed, slot, *arguments, returns=None)
    assert call(listed, 9) == 0, "each command was accepted"
    assert call(allocator, 8) == 0 and call(listed, 10, allocator, compute) == 0 and call(listed, 9) == 0
    assert call(listed, 10, allocator, compute) == 0
    call(listed, 18, resource, words(0, 0, 0, 0), words(1, 0, 0, 0, 0), resource, c_uint64(0), c_uint32(0), returns=None)
    assert call(listed, 9) == E_INVALIDARG, "a buffer has no tiles"
    for object_ in (listed, allocator, heap, pipeline, compute, root, queries, signature, resource):
        assert release(object_) == 0
    for feature, size in ((8, 24), (20, 12), (24, 8), (25, 8), (28, 8), (32, 8), (37, 24), (42, 24), (44, 8)):
        data = (ctypes.c_ubyte * size)()
        assert call(device, 13, c_uint32(feature), data, c_uint32(size)) == 0, feature
        assert call(device, 13, c_uint32(feature), data, c_uint32(size + 4)) == E_INVALIDARG, feature
        assert bytes(data) == bytes(size) or feature == 20, feature


def make_mistakes(device):
    out = c_void_p()
    assert call(device, 0, DEVICE4, byref(out)) == E_NOINTERFACE and not out.value
    assert call(device, 0, None, byref(out)) == E_INVALIDARG and call(device, 0, DEVICE, None) == E_INVALIDARG
    assert call(device, 8, None, UNKNOWN, byref(out)) == E_INVALIDARG
    assert call(device, 36, c_uint64(0), c_uint32(0), FENCE, None) == 1
    assert call(device, 12, c_uint32(0), c_uint32(0), device, None, UNKNOWN, byref(out)) == E_INVALIDARG
    assert call(device, 13, c_uint32(0), None, c_uint32(60)) == E_INVALIDARG
    for level, code in ((0, E_INVALIDARG), (0x9100, E_INVALIDARG), (0xb001, E_INVALIDARG), (0xc200, UNSUPPORTED)):
        out.value = 1
        result = d3d12.D3D12CreateDevice(None, c_uint32(level), DEVICE, byref(out))
        assert (result & 0xffffffff, out.value) == (code, None), (level, result, out.value)
    # Methods without a line end a strict run.
    unsupported = () if sys.argv[1] == "strict" else ((31, (device, None, c_uint32(0), None)),)
    constants = ((32, (c_size_t(1), UNKNOWN)), (44, (None, c_size_t(0), UNKNOWN)), (48, (None, UNKNOWN)))
    for slot, arguments in ((8, (None, UNKNOWN)), (36, (c_uint64(0), c_uint32(0), None)), *constants, *unsupported):
        out.value = 1
        assert call(device, slot, *arguments, byref(out)) in (E_INVALIDARG, UNSUPPORTED) and out.value is None, slot
    out.value = 1
    assert call(device, 0, None, byref(out)) == E_INVALIDARG and out.value is None
    assert call(device, 0, UNKNOWN, byref(out)) == 0 and out.value == device.value and release(out) == 1


device = create_device()
factory = c_void_p()
assert dxcore.DXCoreCreateAdapterFactory(FACTORY, byref(factory)) == 0
other = create_device()
assert other.value == device.value and release(other) == 1
make_mistakes(device)
use_fence(device)
use_list(device)
threads = [threading.Thread(target=lambda: [use_memory(device) for _ in range(50)]) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("used")
sys.stdout.flush()

end = sys.argv[1]
if end == "exit":
    sys.exit(7)
if end == "_exit":
    os._exit(8)
if end == "abort":
    os.abort()
if end == "segv":
    ctypes.string_at(1)
if end == "signal":
    # The parent gets the signal and passes it on.
    os.kill(os.getppid(), 15)
    threading.Event().wait()
if end == "copy":
    # A copy that outlives the program has no part in its trace.
    if os.fork() == 0:
        threading.Event().wait(5)
        os._exit(0)
    os._exit(0)
if end == "fork":
    child = os.fork()
    if child == 0:
        assert call(device, 37) == 0x887A0005
        copy = create_device()
        use_memory(copy)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    use_memory(device)
    os._exit(0)
if end == "strict":
    call(device, 40, c_uint32(0))
    os._exit(0)
