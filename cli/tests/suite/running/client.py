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
E_INVALIDARG, E_NOINTERFACE, E_HANDLE, E_NOTIMPL = 0x80070057, 0x80004002, 0x80070006, 0x80004001
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
    unsupported = () if sys.argv[1] == "strict" else ((32, (c_size_t(1), UNKNOWN)), (44, (None, c_size_t(0), UNKNOWN)))
    for slot, arguments in ((8, (None, UNKNOWN)), (36, (c_uint64(0), c_uint32(0), None)), *unsupported):
        out.value = 1
        assert call(device, slot, *arguments, byref(out)) in (E_INVALIDARG, E_NOTIMPL) and out.value is None, slot
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
    call(device, 34, c_uint32(0), None)
    os._exit(0)
