# SPDX-License-Identifier: Apache-2.0
"""Calls kernels of the embedded runtime on the host with PyTorch tensors (runtime/README.md)."""
import ctypes as c

import torch

TEMP_BYTES = 16 << 20
WHY_BYTES = 256
TYPES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
         torch.float32: 6, torch.float64: 7, torch.bool: 11, torch.bfloat16: 15, torch.uint16: 27, torch.uint32: 28,
         torch.uint64: 29, torch.complex32: 8, torch.complex64: 9, torch.complex128: 10}
NONE, INT, BOOL, DOUBLE, TENSOR, STRING, INTS, DOUBLES, BOOLS, TENSORS, OPTIONALS = range(1, 12)


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("sizes", c.POINTER(c.c_int32)), ("strides", c.POINTER(c.c_int32)),
                ("order", c.POINTER(c.c_uint8)), ("capacity", c.c_size_t), ("type", c.c_uint8), ("rank", c.c_uint8),
                ("dynamism", c.c_uint8), ("is_constant", c.c_uint8),
                ("is_planned", c.c_uint8)]


class Content(c.Union):
    _fields_ = [("integer", c.c_int64), ("number", c.c_double), ("boolean", c.c_bool), ("pointer", c.c_void_p)]


class Value(c.Structure):
    _fields_ = [("kind", c.c_uint32), ("count", c.c_uint32), ("content", Content)]


class KernelError(Exception):
    pass


def like(tensor):
    """A tensor of the same sizes, strides and type, filled with bytes that no kernel leaves by chance."""
    out = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype)
    raw = out.untyped_storage()
    for i in range(raw.nbytes()):
        raw[i] = 0xA5 if tensor.dtype != torch.bool else 1
    return out


def order_of(tensor):
    """Dimensions, outermost in memory first. Of dimensions of one element PyTorch's strides say little: they keep
    their place unless the strides of all others tell that the tensor is channels-last."""
    return sorted(range(tensor.dim()), key=lambda d: (-tensor.stride(d), d))


class Rig:
    def __init__(self, library, temp_bytes=TEMP_BYTES):
        self.library = c.CDLL(library)
        self.library.rig_signature.restype = c.c_char_p
        self.library.rig_call.restype = c.c_bool
        self.library.rig_call.argtypes = [c.c_char_p, c.POINTER(c.POINTER(Value)), c.c_uint, c.c_void_p, c.c_size_t,
                                          c.c_char_p, c.c_size_t]
        self.temp = c.create_string_buffer(temp_bytes + 16)
        self.temp_at = (c.addressof(self.temp) + 15) & ~15
        self.temp_bytes = temp_bytes

    def letters(self, name):
        """[(letter, optional)] of the operator's signature."""
        text = self.library.rig_signature(name.encode())
        if text is None:
            raise KernelError(f"there is no kernel {name}")
        text = text.decode()
        return [(a, text[i + 1:i + 2] == "?") for i, a in enumerate(text) if a != "?"]

    def tensor(self, tensor, keep):
        rank = tensor.dim()
        t = Tensor(data=tensor.data_ptr() if tensor.numel() else None, sizes=(c.c_int32 * rank)(*tensor.size()),
                   strides=(c.c_int32 * rank)(*tensor.stride()), order=(c.c_uint8 * rank)(*order_of(tensor)),
                   capacity=tensor.untyped_storage().nbytes(), type=TYPES[tensor.dtype], rank=rank)
        keep += [tensor, t]
        return c.pointer(t)

    def value(self, argument, letter, keep):
        """The argument as a value; `keep` holds what it points at."""
        v = Value()
        if argument is None:
            v.kind = NONE
        elif isinstance(argument, torch.Tensor):
            v.kind, v.content.pointer = TENSOR, c.cast(self.tensor(argument, keep), c.c_void_p)
        elif isinstance(argument, str):
            v.kind, v.count = STRING, len(argument.encode())
            keep.append(c.create_string_buffer(argument.encode()))
            v.content.pointer = c.addressof(keep[-1])
        elif isinstance(argument, torch.dtype):
            v.kind, v.content.integer = INT, TYPES[argument]
        elif isinstance(argument, (list, tuple)):
            kind, item = {"I": (INTS, c.c_int64), "D": (DOUBLES, c.c_double), "B": (BOOLS, c.c_bool),
                          "T": (TENSORS, c.c_void_p), "U": (OPTIONALS, c.c_void_p)}[letter]
            items = argument if letter not in "TU" else [
                None if x is None else c.cast(self.tensor(x, keep), c.c_void_p) for x in argument]
            keep.append((item * len(argument))(*items))
            v.kind, v.count, v.content.pointer = kind, len(argument), c.addressof(keep[-1])
        elif isinstance(argument, bool):
            v.kind, v.content.boolean = BOOL, argument
        elif isinstance(argument, int) and letter != "d":
            v.kind, v.content.integer = INT, argument
        else:
            v.kind, v.content.number = DOUBLE, float(argument)
        keep.append(v)
        return c.pointer(v)

    def call(self, name, *arguments):
        """Runs the kernel; outputs are among the arguments."""
        keep = []
        letters = [letter for letter, _ in self.letters(name)] + [""] * len(arguments)
        values = (c.POINTER(Value) * len(arguments))(*[
            self.value(a, letter, keep) for a, letter in zip(arguments, letters)])
        why = c.create_string_buffer(WHY_BYTES)
        if not self.library.rig_call(name.encode(), values, len(arguments), self.temp_at, self.temp_bytes, why,
                                     WHY_BYTES):
            raise KernelError(f"{name}: {why.value.decode()}")
