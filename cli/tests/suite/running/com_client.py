"""A client that checks COM's rules: reference counts, identity, private data, destruction, events, released objects."""

import ctypes
import os
import threading
import uuid
from ctypes import POINTER, byref, c_size_t, c_uint32, c_uint64, c_void_p


def guid(text):
    return (ctypes.c_ubyte * 16)(*uuid.UUID(text).bytes_le)


UNKNOWN = guid("00000000-0000-0000-c000-000000000046")
OBJECT = guid("c4fec28f-7966-4e95-9f94-f431cb56c3b8")
CHILD = guid("905db94b-a00c-4140-9df5-2b64ca9ea357")
DEVICE = guid("189819f1-1db6-4b57-be54-1821339b85f7")
DEVICE3 = guid("81dadc15-2bad-4392-93c5-101345c4aa98")
DEVICE4 = guid("e865df17-a9ee-46f9-a463-3098315aa2e5")
PAGEABLE = guid("63ee58fb-1268-4835-86da-f008ce62f0d6")
FENCE = guid("0a753dcf-c4d8-4b91-adf6-be5a60d95a76")
NOTIFIER = guid("a06eb39a-50da-425b-8c31-4eecd6c270f3")
WIDE_NAME = guid("4cca5fd8-921f-42c8-8566-70caf2a9b741")
NARROW_NAME = guid("429b8c22-9188-4b0c-8742-acb0bf85c200")
DATA = guid("fdb37466-428f-4edf-a37f-9b1df488c5fc")
S_OK, S_FALSE, E_INVALIDARG, E_NOINTERFACE, E_HANDLE = 0, 1, 0x80070057, 0x80004002, 0x80070006
NOT_FOUND, MORE_DATA, INVALID_CALL = 0x887A0002, 0x887A0003, 0x887A0001
QUERY, ADD_REF, RELEASE = 0, 1, 2
GET_DATA, SET_DATA, SET_INTERFACE, SET_NAME, GET_DEVICE = 3, 4, 5, 6, 7

d3d12 = ctypes.CDLL("libd3d12.so")


def call(object_, slot, *arguments, returns=c_uint32):
    table = ctypes.cast(ctypes.cast(object_, POINTER(c_void_p))[0], POINTER(c_void_p))
    types = [type(argument) if isinstance(argument, ctypes._SimpleCData) else c_void_p for argument in arguments]
    return ctypes.CFUNCTYPE(returns, c_void_p, *types)(table[slot])(object_, *arguments)


def query(object_, interface):
    out = c_void_p(1)
    result = call(object_, QUERY, interface, byref(out))
    assert (out.value is None) == (result != S_OK), hex(result)
    return out if result == S_OK else result


def references(object_):
    call(object_, ADD_REF)
    return call(object_, RELEASE)


def create_device():
    device = c_void_p()
    assert d3d12.D3D12CreateDevice(None, c_uint32(0xb000), DEVICE, byref(device)) == S_OK
    return device


def create_fence(device):
    fence = c_void_p()
    assert call(device, 36, c_uint64(0), c_uint32(0), FENCE, byref(fence)) == S_OK
    return fence


def check_references(device):
    assert references(device) == 1
    fence = create_fence(device)
    assert references(device) == 2, "the fence holds the device"
    out = c_void_p()
    assert call(fence, GET_DEVICE, DEVICE, byref(out)) == S_OK and out.value == device.value and references(device) == 3
    assert call(out, RELEASE) == 2
    assert d3d12.D3D12CreateDevice(None, c_uint32(0xb000), UNKNOWN, byref(out)) == S_OK and out.value == device.value
    assert call(device, RELEASE) == 2 and call(device, RELEASE) == 1, "only the fence holds the device"
    assert call(fence, GET_DEVICE, DEVICE, byref(out)) == S_OK and out.value == device.value and call(fence, RELEASE) == 0
    assert references(device) == 1
    assert call(device, 36, c_uint64(0), c_uint32(0), DEVICE, byref(out)) == E_NOINTERFACE and references(device) == 1
    assert call(device, 36, c_uint64(0), c_uint32(0), FENCE, None) == S_FALSE and references(device) == 1


def check_identity(device):
    fence = create_fence(device)
    interfaces = [UNKNOWN, OBJECT, CHILD, PAGEABLE, FENCE, NOTIFIER]
    found = [query(fence, interface) for interface in interfaces]
    for pointer in found:
        same = query(pointer, UNKNOWN)
        assert same.value == found[0].value, "IUnknown is the object's identity"
        call(same, RELEASE)
        for interface, expected in zip(interfaces, found):
            again = query(pointer, interface)
            assert again.value == expected.value
            call(again, RELEASE)
        assert query(pointer, DEVICE) == E_NOINTERFACE
    assert references(fence) == 7
    [call(pointer, RELEASE) for pointer in found]
    assert call(fence, RELEASE) == 0
    assert query(device, DEVICE4) == E_NOINTERFACE
    later = query(device, DEVICE3)
    assert later.value == device.value and call(later, RELEASE) == 1


def check_private_data(device):
    fence, other = create_fence(device), create_fence(device)
    size, data = c_uint32(9), (ctypes.c_ubyte * 16)()
    assert call(fence, GET_DATA, DATA, byref(size), data) == NOT_FOUND and size.value == 0
    assert call(fence, GET_DATA, DATA, None, data) == E_INVALIDARG and call(fence, GET_DATA, None, byref(size), data) == E_INVALIDARG
    assert call(fence, SET_DATA, DATA, c_uint32(0), None) == S_FALSE
    assert call(fence, SET_DATA, DATA, c_uint32(3), b"abc") == S_OK
    size.value = 2
    assert call(fence, GET_DATA, DATA, byref(size), data) == MORE_DATA and size.value == 3 and bytes(data) == bytes(16)
    assert call(fence, GET_DATA, DATA, byref(size), None) == S_OK and size.value == 3
    assert call(fence, GET_DATA, DATA, byref(size), data) == S_OK and bytes(data[:4]) == b"abc\0"
    assert call(fence, SET_INTERFACE, DATA, other) == S_OK and references(other) == 2
    assert call(fence, SET_INTERFACE, DATA, other) == S_OK and references(other) == 2
    size.value, pointer = 8, c_void_p()
    assert call(fence, GET_DATA, DATA, byref(size), byref(pointer)) == S_OK and pointer.value == other.value
    assert references(other) == 3 and call(pointer, RELEASE) == 2
    assert call(fence, SET_INTERFACE, DATA, None) == S_OK and references(other) == 1
    assert call(fence, GET_DATA, DATA, byref(size), byref(pointer)) == S_OK and pointer.value is None
    assert call(fence, SET_DATA, DATA, c_uint32(0), None) == S_OK
    assert call(fence, SET_INTERFACE, DATA, other) == S_OK
    assert call(fence, RELEASE) == 0 and references(other) == 1, "the object's end releases its private data"
    name = ctypes.create_unicode_buffer("ä name")
    assert call(other, SET_NAME, name) == S_OK
    size.value, wide = 64, ctypes.create_unicode_buffer(16)
    assert call(other, GET_DATA, WIDE_NAME, byref(size), wide) == S_OK and (wide.value, size.value) == ("ä name", 28)
    assert call(other, SET_DATA, NARROW_NAME, c_uint32(6), b"narrow") == S_OK and call(other, RELEASE) == 0
    assert call(device, SET_NAME, name) == S_OK and call(device, SET_NAME, None) == E_INVALIDARG
    assert call(device, GET_DATA, WIDE_NAME, byref(size), wide) == S_OK


def check_destruction(device):
    called = []
    function = ctypes.CFUNCTYPE(None, c_void_p)(called.append)
    fence = create_fence(device)
    notifier, first, second = query(fence, NOTIFIER), c_uint32(), c_uint32()
    assert notifier.value != fence.value
    assert call(notifier, 3, None, c_void_p(1), byref(first)) == INVALID_CALL
    assert call(notifier, 3, function, c_void_p(1), byref(first)) == S_OK
    assert call(notifier, 3, function, c_void_p(2), byref(second)) == S_OK and first.value != second.value
    assert call(notifier, 3, function, c_void_p(3), None) == S_OK
    assert call(notifier, 4, second) == S_OK and call(notifier, 4, second) == NOT_FOUND
    assert call(fence, RELEASE) == 1 and called == []
    assert call(notifier, RELEASE) == 0 and called == [1, 3]
    assert call(notifier, 3, function, c_void_p(4), None) == E_HANDLE


def check_released_objects(device):
    fence = create_fence(device)
    assert call(fence, RELEASE) == 0
    assert call(fence, 10, c_uint64(1)) == E_HANDLE and call(fence, 8, returns=c_uint64) == 0
    assert query(fence, UNKNOWN) == E_HANDLE and call(fence, ADD_REF) == 0 and call(fence, RELEASE) == 0
    assert references(device) == 1, "a further Release has no effect"


def check_events(device):
    fence = create_fence(device)
    event = os.eventfd(0)
    assert call(fence, 9, c_uint64(5), c_size_t(event)) == S_OK
    os.close(event)
    readable, writable = os.pipe()
    assert event in (readable, writable), "the event's number is a pipe's"
    assert call(fence, 9, c_uint64(5), c_size_t(writable)) == E_INVALIDARG
    assert call(fence, 10, c_uint64(5)) == S_OK
    os.set_blocking(readable, False)
    try:
        assert not os.read(readable, 8), "the pipe gets no byte"
    except BlockingIOError:
        pass
    thread = threading.Timer(0.2, lambda: call(fence, 10, c_uint64(6)))
    thread.start()
    assert call(fence, 9, c_uint64(6), None) == S_OK and call(fence, 8, returns=c_uint64) == 6
    thread.join()
    fences = [create_fence(device) for _ in range(3)]
    pointers, values = (c_void_p * 3)(*[fence.value for fence in fences]), (c_uint64 * 3)(1, 1, 1)
    device1 = query(device, DEVICE3)
    for flags, signals in ((0, 3), (1, 1)):
        event = os.eventfd(0, os.EFD_NONBLOCK)
        values[:] = [value + 1 for value in values]
        assert call(device1, 45, pointers, values, c_uint32(3), c_uint32(flags), c_size_t(event)) == S_OK
        for number, fence_ in enumerate(fences, 1):
            assert call(fence_, 10, c_uint64(values[0])) == S_OK
            if number < signals:
                try:
                    assert not os.eventfd_read(event), "the event waits for all fences"
                except BlockingIOError:
                    pass
        assert os.eventfd_read(event) == 1
    assert call(device1, 45, pointers, values, c_uint32(3), c_uint32(1), None) == S_OK
    for arguments in ((None, values, c_uint32(3), c_uint32(0)), (pointers, None, c_uint32(3), c_uint32(0)),
                      (pointers, values, c_uint32(0), c_uint32(0)), (pointers, values, c_uint32(3), c_uint32(2))):
        assert call(device1, 45, *arguments, None) == E_INVALIDARG
    [call(object_, RELEASE) for object_ in (*fences, fence, device1)]


def check_streams(device):
    blob = ctypes.create_string_buffer(b"root", 4)
    root, out, device2 = c_void_p(), c_void_p(), query(device, DEVICE3)
    assert call(device, 16, c_uint32(0), blob, c_size_t(4), UNKNOWN, byref(root)) == S_OK
    shader = ctypes.create_string_buffer(b"DXBC", 4)
    # Root signature; sample mask; compute shader.
    stream = (c_uint64 * 6)(0, root.value, 9 | 0xffff << 32, 6, ctypes.addressof(shader), 4)
    for size, code in ((48, S_OK), (47, E_INVALIDARG), (3, E_INVALIDARG), (0, E_INVALIDARG)):
        desc = (c_uint64 * 2)(size, ctypes.addressof(stream))
        assert call(device2, 47, byref(desc), UNKNOWN, byref(out)) == code, size
        if code == S_OK:
            blob_ = c_void_p()
            assert call(out, 8, byref(blob_)) == S_OK and call(blob_, 4, returns=c_size_t) > 0
            assert call(blob_, RELEASE) == 0 and call(out, RELEASE) == 0
    stream[2] = 99
    assert call(device2, 47, byref((c_uint64 * 2)(48, ctypes.addressof(stream))), UNKNOWN, byref(out)) == E_INVALIDARG
    assert call(root, RELEASE) == 0 and call(device2, RELEASE) == 1


def check_root_signatures(device):
    import struct
    for version in (1, 2, 3):
        # A range is type, number, register, space, flags from version 1.1 on, offset.
        table = (c_uint32 * 6)(*([0, 2, 5, 1] + ([7] if version > 1 else []) + [9]))
        sampler = (c_uint32 * 14)(*range(100, 114))
        parameters = b"".join((
            struct.pack("<IIIIQII", 0, 0, 1, 0, ctypes.addressof(table), 4, 0),
            struct.pack("<IIIIIIII", 1, 0, 11, 12, 13, 0, 0, 0),
            struct.pack("<IIIIIIII", 2, 0, 21, 22, 23, 0, 5, 0)))
        held = ctypes.create_string_buffer(parameters, len(parameters))
        desc = struct.pack("<IIIIQIIQII", version, 0, 3, 0, ctypes.addressof(held), 1, 0, ctypes.addressof(sampler), 1, 0)
        blob, error = c_void_p(), c_void_p(1)
        assert d3d12.D3D12SerializeVersionedRootSignature(desc, byref(blob), byref(error)) == S_OK and error.value is None
        size = call(blob, 4, returns=c_size_t)
        bytes_ = ctypes.string_at(call(blob, 3, returns=c_void_p), size)
        assert bytes_[:4] == b"DXBC" and bytes_[36:40] == b"RTS0" and struct.unpack_from("<I", bytes_, 24)[0] == size
        part = bytes_[44:]
        word = lambda offset, count=1: struct.unpack_from("<%dI" % count, part, offset)
        head = word(0, 6)
        assert head[:4] == (version, 3, 24, 1) and head[5] == 1 and len(part) == struct.unpack_from("<I", bytes_, 40)[0]
        found = [word(24 + 12 * index, 3) for index in range(3)]
        assert [parameter[:2] for parameter in found] == [(0, 4), (1, 0), (2, 5)]
        count, ranges = word(found[0][2], 2)
        assert count == 1 and word(ranges, 6 if version > 1 else 5) == tuple(table)[:6 if version > 1 else 5]
        assert word(found[1][2], 3) == (11, 12, 13)
        assert word(found[2][2], 3 if version > 1 else 2) == (21, 22, 23)[:3 if version > 1 else 2]
        samplers = 14 if version == 3 else 13
        assert word(head[4], samplers) == tuple(range(100, 100 + samplers)) and head[4] + samplers * 4 == len(part)
        root = c_void_p()
        assert call(device, 16, c_uint32(0), bytes_, c_size_t(size), UNKNOWN, byref(root)) == S_OK
        assert call(root, RELEASE) == 0 and call(blob, RELEASE) == 0
    for version, count, parameter_type in ((0, 3, 0), (4, 3, 0), (2, 65, 0), (2, 3, 9)):
        parameters = (c_uint32 * 24)(parameter_type)
        desc = struct.pack("<IIIIQIIQII", version, 0, count, 0, ctypes.addressof(parameters), 0, 0, 0, 0, 0)
        blob, error = c_void_p(1), c_void_p()
        assert d3d12.D3D12SerializeVersionedRootSignature(desc, byref(blob), byref(error)) & 0xffffffff == E_INVALIDARG
        assert blob.value is None and call(error, 4, returns=c_size_t) > 1 and call(error, RELEASE) == 0
    assert d3d12.D3D12SerializeRootSignature(None, c_uint32(1), byref(blob), None) & 0xffffffff == E_INVALIDARG


device = create_device()
for check in (check_references, check_identity, check_private_data, check_destruction, check_released_objects, check_events,
              check_streams, check_root_signatures):
    check(device)
    assert references(device) == 1, check.__name__
assert call(device, RELEASE) == 0 and call(device, 37) == E_HANDLE
later = create_device()
assert references(later) == 1
leaked = create_fence(later)
assert call(leaked, SET_NAME, ctypes.create_unicode_buffer("leaked fence")) == S_OK
print("checked")
