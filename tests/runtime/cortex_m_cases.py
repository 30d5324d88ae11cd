# SPDX-License-Identifier: Apache-2.0
"""The cortex_m dialect and quantisation against the Python reference in the executorch wheel, byte for byte."""
import math

import executorch.backends.cortex_m.passes  # noqa: F401 (first: the two import each other)
from executorch.backends.cortex_m.ops import operators  # also registers them
import torch
from torch.ao.quantization.fx import _decomposed  # noqa: F401 (registers the operators)

from kernel_cases import case

INT8 = torch.int8


class ExactFunctional:
    """torch.nn.functional, but integers are convolved in float64: PyTorch has no dilated convolution of int32."""
    def __getattr__(self, name):
        return getattr(torch.nn.functional, name)

    @staticmethod
    def conv2d(x, w, b, **named):
        return torch.nn.functional.conv2d(x.double(), w.double(), b.double(), **named).to(torch.int32)


operators.F = ExactFunctional()
WIDE = [torch.int8, torch.uint8, torch.int16, torch.int32]


def reference(d, name, *arguments, order=None, **named):
    """Calls the dialect's operator; the kernel must give the same bytes. `order` is the output's memory format."""
    space, packet = name.split("::")
    expected = getattr(getattr(torch.ops, space), packet.split(".")[0])(*arguments, **named)
    if order:
        expected = expected.contiguous(memory_format=order)
    d.call(name, *arguments, expected=expected, tolerance=0)


def scale(d, low=-9, high=0):
    """Multiplier and shift."""
    return d.integer(1 << 30, (1 << 31) - 1), d.integer(low, high)


def bounds(d):
    return sorted([d.integer(-128, 127), d.integer(-128, 127)]) if d.flip() else [-128, 127]


def zero_point(d):
    """Folded constants bring zero points beyond int8."""
    return d.integer(-128, 127) if d.random.random() < 0.8 else d.integer(-400, 400)


def image(d, channels=None, size=9):
    shape = [d.pick([1, 1, 2]), channels or d.pick([1, 3, 4, 8, 16, 17, 24, 40]), d.integer(1, size), d.integer(1, size)]
    t = d.tensor(shape, INT8, -128, 127, order=False)
    return t.contiguous(memory_format=torch.channels_last) if d.random.random() < 0.9 else t


def scales(d, channels, low=-12, high=-4):
    pairs = [scale(d, low, high) for _ in range(channels)]
    return (torch.tensor([m for m, _ in pairs], dtype=torch.int32), torch.tensor([s for _, s in pairs], dtype=torch.int32))


def bias(d, channels):
    return d.pick([None, d.tensor([channels], torch.int32, -20000, 20000)])


SCRATCH = torch.zeros(16, dtype=torch.uint8)


def window(d, x, dilated=True):
    """Kernel, stride, padding, dilation that leave at least one output."""
    while True:
        k = [d.integer(1, 4), d.integer(1, 4)]
        stride, padding = [d.integer(1, 3), d.integer(1, 3)], [d.integer(0, n // 2) for n in k]
        dilation = [d.pick([1, 1, 2]) for _ in k] if dilated else [1, 1]
        if all(x.shape[2 + i] + 2 * padding[i] >= dilation[i] * (k[i] - 1) + 1 for i in range(2)):
            return k, stride, padding, dilation


class Changed:
    """Draws as another, but calls the kernel with other arguments: those of another version of ExecuTorch."""
    def __init__(self, d, change, name=None, result=lambda x: x):
        self.drawn, self.change, self.name, self.result = d, change, name, result

    def __getattr__(self, name):
        return getattr(self.drawn, name)

    def call(self, name, *arguments, expected, tolerance=None):
        self.drawn.call(self.name or name, *self.change(arguments), expected=self.result(expected), tolerance=tolerance)


@case("cortex_m::quantized_conv2d.out")
def convolve(d, name):
    x = image(d)
    channels = x.shape[1]
    groups = d.pick([g for g in (1, 1, 1, 2, 4) if channels % g == 0])
    k, stride, padding, dilation = window(d, x) if d.random.random() < 0.7 else ([1, 1], [1, 1], [0, 0], [1, 1])
    outputs = groups * d.integer(1, 9)
    w = d.tensor([outputs, *k, channels // groups], INT8, -128, 127, order=False)
    reference(d, name, x, w, bias(d, outputs), stride, padding, dilation, d.integer(-127, 128), d.integer(-128, 127),
              *scales(d, outputs), *bounds(d), SCRATCH)


@case("cortex_m::quantized_depthwise_conv2d.out")
def depthwise(d, name):
    x = image(d)
    k, stride, padding, dilation = window(d, x)
    multiplier = d.pick([1, 1, 1, 2, 3])
    outputs = x.shape[1] * multiplier
    w = d.tensor([1, *k, outputs], INT8, d.pick([-128, -127]), 127, order=False)
    reference(d, name, x, w, bias(d, outputs), stride, padding, dilation, multiplier, d.integer(-127, 128),
              d.integer(-128, 127), *scales(d, outputs, -9, -3), *bounds(d), SCRATCH)


@case("cortex_m::quantized_transpose_conv2d.out")
def transpose_convolve(d, name):
    while True:
        x = image(d, size=5)
        k, stride, padding, dilation = window(d, x)
        more = [d.integer(0, max(stride[i], dilation[i]) - 1) for i in range(2)]
        if all((x.shape[2 + i] - 1) * stride[i] - 2 * padding[i] + dilation[i] * (k[i] - 1) + more[i] + 1 > 0 for i in range(2)):
            break
    outputs = d.integer(1, 9)
    w = d.tensor([outputs, *k, x.shape[1]], INT8, -128, 127, order=False)
    reference(d, name, x, w, bias(d, outputs), stride, padding, more, dilation, d.integer(-127, 128),
              d.integer(-128, 127), *scales(d, outputs), *bounds(d), SCRATCH, SCRATCH, order=torch.channels_last)


@case("cortex_m::quantized_transpose_conv2d.out")
def transpose_convolve_of_1_3(d, name):
    """ExecuTorch 1.3 and before: no scratch."""
    transpose_convolve(Changed(d, lambda arguments: arguments[:-2]), name)


@case("cortex_m::quantized_linear.out")
def linear(d, name):
    k, outputs = d.integer(1, 70), d.integer(1, 20)
    x = d.tensor([*d.shape(0, 2), k], INT8, -128, 127)
    w = d.tensor([outputs, k], INT8, -128, 127)
    sums = d.pick([None, d.tensor([outputs], torch.int32, -20000, 20000)])
    m, s = scale(d, -12, -4)
    low, high = bounds(d)
    reference(d, name, x, w, None if sums is not None else bias(d, outputs), sums, d.integer(-128, 128),
              d.pick([0, 0, d.integer(-128, 128)]), d.integer(-128, 127), [m], [s], high, low)


@case("cortex_m::quantized_batch_matmul.out")
def batch_matmul(d, name):
    batch, m, k, n = d.integer(1, 3), d.integer(1, 9), d.integer(1, 40), d.integer(1, 9)
    reference(d, name, d.tensor([batch, m, k], INT8, -128, 127), d.integer(-127, 128),
              d.tensor([batch, n, k], INT8, -128, 127), d.integer(-127, 128), d.integer(-128, 127), *scale(d, -12, -4), SCRATCH)


def both(d):
    """Two tensors of one shape, or one with only the channels of the other."""
    if d.flip():
        shape = d.shape(1, 4)
        a = d.tensor(shape, INT8, -128, 127)
        b = d.tensor(shape, INT8, -128, 127, order=False)
        return a, b.contiguous(memory_format=torch.channels_last) if a.dim() == 4 and not a.is_contiguous() else b
    a = image(d).contiguous(memory_format=torch.channels_last)
    b = d.tensor([1, a.shape[1], 1, 1], INT8, -128, 127)
    return (a, b) if d.flip() else (b, a)


@case("cortex_m::quantized_add.out")
def add(d, name):
    a, b = both(d)
    reference(d, name, a, zero_point(d), *scale(d, -3, 0), b, zero_point(d), *scale(d, -3, 0),
              zero_point(d), *scale(d, -21, -17), *bounds(d))


@case("cortex_m::quantized_add.out")
def add_of_1_2(d, name):
    """ExecuTorch 1.2 and before: no bounds."""
    a, b = both(d)
    arguments = (a, zero_point(d), *scale(d, -3, 0), b, zero_point(d), *scale(d, -3, 0), zero_point(d), *scale(d, -21, -17))
    d.call(name, *arguments, expected=torch.ops.cortex_m.quantized_add(*arguments, -128, 127), tolerance=0)


@case("cortex_m::quantized_div.out")
def div(d, name):
    """ExecuTorch 1.5, as its reference defines it."""
    dtype = d.pick([INT8, INT8, torch.int16])
    low, high = levels(dtype)
    shape = d.shape()
    a, b = d.tensor(shape, dtype, low, high), d.tensor(shape, dtype, *d.pick([(low, high), (-3, 3)]))
    zeros, step = [d.pick([0, d.integer(-128, 127)]) for _ in range(3)], d.random.random() * d.pick([1, 20, 1000])
    above, below = ((x.to(torch.int32) - z).to(torch.float32) for x, z in zip((a, b), zeros))
    quotient = torch.where(below != 0, above / below, torch.zeros_like(above))
    expected = torch.clamp(torch.round(quotient * step) + zeros[2], low, high).to(dtype)
    d.call(name, a, zeros[0], b, zeros[1], zeros[2], step, expected=expected, tolerance=0)


@case("cortex_m::quantized_mul.out")
def mul(d, name):
    a, b = both(d)
    reference(d, name, a, zero_point(d), b, zero_point(d), zero_point(d), *scale(d, -9, -3))


@case("cortex_m::quantized_activation.out")
def activation(d, name):
    reference(d, name, d.tensor(d.shape(), INT8, -128, 127), d.tensor([256], INT8, -128, 127))


@case("cortex_m::minimum.out", "cortex_m::maximum.out")
def extremes(d, name):
    shape = d.shape()
    reference(d, name, d.tensor(shape, INT8, -128, 127), d.tensor(d.broadcast(shape), INT8, -128, 127))


@case("cortex_m::softmax.out")
def softmax(d, name):
    x = d.tensor(d.shape(1, 4), INT8, -128, 127)
    step = 2.0 ** d.integer(-8, -2) * d.pick([1, 1.1, 1.7]) * 2 ** 26
    mantissa, shift = math.frexp(step)
    reference(d, name, x, d.integer(-x.dim(), x.dim() - 1), d.integer(-128, 127), -128, round(mantissa * (1 << 31)), shift, -100)


@case("cortex_m::transpose.out")
def transpose(d, name):
    x = d.tensor(d.shape(1, 5), d.pick([INT8, torch.int32]))
    perm = list(range(x.dim()))
    d.random.shuffle(perm)
    reference(d, name, x, perm)


@case("cortex_m::pad.out")
def pad(d, name):
    x = d.tensor(d.shape(1, 4), INT8, -128, 127)
    used = lambda: [d.integer(0, 3) if x.dim() == 4 or i >= 4 - x.dim() else 0 for i in range(4)]
    reference(d, name, x, used(), used(), d.integer(-128, 127))


@case("cortex_m::quantized_avg_pool2d.out")
def average_pool(d, name):
    x = image(d, size=13)
    k, stride, padding, _ = window(d, x, False) if d.flip() else ([x.shape[2], x.shape[3]], [1, 1], [0, 0], [1, 1])
    m, s = scale(d, -8, 2)
    reference(d, name, x, k, stride, padding, d.integer(-128, 127), m, s, SCRATCH, order=torch.channels_last)


@case("cortex_m::quantized_avg_pool2d.out")
def average_pool_of_1_5(d, name):
    """ExecuTorch 1.5: windows may stick out."""
    x = image(d, size=13)
    k, stride, padding, _ = window(d, x, False)
    up, zero, (m, s) = d.flip(), d.integer(-128, 127), scale(d, -8, 2)
    real = operators.dequantize_per_tensor_cmsis(x, zero, m, s)
    means = torch.nn.functional.avg_pool2d(real, k, stride, padding, ceil_mode=up, count_include_pad=False)
    expected = torch.clamp(operators.quantize_per_tensor_cmsis(means, zero, m, s), -128, 127).to(INT8)
    d.call(name, x, k, stride, padding, up, zero, m, s, SCRATCH, expected=expected.contiguous(memory_format=torch.channels_last),
           tolerance=0)


@case("cortex_m::quantized_max_pool2d.out")
def max_pool(d, name):
    x = image(d)
    k, stride, padding, _ = window(d, x, False)
    zero = d.integer(-128, 127)
    reference(d, name, x, k, stride, padding, [1, 1], False, zero, zero, *bounds(d))


@case("cortex_m::quantized_conv2d_nhwc.out", "cortex_m::quantized_depthwise_conv2d_nhwc.out",
      "cortex_m::quantized_transpose_conv2d_nhwc.out", "cortex_m::quantized_avg_pool2d_nhwc.out",
      "cortex_m::quantized_max_pool2d_nhwc.out")
def nhwc(d, name):
    """ExecuTorch 1.5: images have the shape N, H, W, C."""
    plain = {"conv2d": convolve, "depthwise_conv2d": depthwise, "transpose_conv2d": transpose_convolve,
             "avg_pool2d": average_pool_of_1_5, "max_pool2d": max_pool}[name.split("quantized_")[1].split("_nhwc")[0]]

    def turned(x):
        return x.permute(0, 2, 3, 1).contiguous()
    plain(Changed(d, lambda a: (turned(a[0]), *a[1:]), name, turned), name.replace("_nhwc", ""))


def levels(dtype):
    info = torch.iinfo(dtype)
    return info.min, info.max


@case("quantized_decomposed::quantize_per_tensor.out", "cortex_m::quantize_per_tensor.out")
def quantize(d, name):
    dtype = d.pick(WIDE)
    x = d.tensor(d.shape(), d.pick([torch.float32, torch.float32, torch.float16]), -30, 30)
    arguments = (d.random.random() / 4 + 0.01, d.integer(0, 100), *levels(dtype), dtype)
    expected = torch.ops.quantized_decomposed.quantize_per_tensor(x, *arguments)
    d.call(name, x, *arguments, expected=expected)


@case("quantized_decomposed::quantize_per_tensor.Tensor_out")
def quantize_tensors(d, name):
    dtype = d.pick(WIDE)
    x = d.tensor(d.shape(), torch.float32, -30, 30)
    arguments = (torch.tensor([0.1 * d.integer(1, 5)]), torch.tensor([d.integer(0, 9)]), *levels(dtype), dtype)
    d.call(name, x, *arguments, expected=torch.ops.quantized_decomposed.quantize_per_tensor.tensor(x, *arguments))


@case("quantized_decomposed::dequantize_per_tensor.out", "quantized_decomposed::dequantize_per_tensor.Tensor_out",
      "cortex_m::dequantize_per_tensor.out")
def dequantize(d, name):
    dtype = d.pick(WIDE)
    x = d.tensor(d.shape(), dtype, -30000, 30000)
    step, zero = d.random.random() + 0.01, d.integer(0, 100)
    expected = torch.ops.quantized_decomposed.dequantize_per_tensor(x, step, zero, *levels(dtype), dtype)
    if "Tensor_out" in name:
        step, zero = torch.tensor([step], dtype=torch.float64), torch.tensor([zero])
    more = [] if name.startswith("cortex_m") else [None]
    d.call(name, x, step, zero, *levels(dtype), dtype, *more, expected=expected, tolerance=0)


@case("quantized_decomposed::quantize_per_channel.out", "quantized_decomposed::dequantize_per_channel.out")
def per_channel(d, name):
    shape, dtype, back = d.shape(1, 4), d.pick(WIDE[:3]), "dequant" in name
    axis = d.integer(0, len(shape) - 1)
    steps = d.tensor([shape[axis]], torch.float32, 0.01, 0.3)
    if d.flip():
        steps = steps.double()
    arguments = (steps, d.tensor([shape[axis]], torch.int64, 0, 20), axis, *levels(dtype), dtype)
    x = d.tensor(shape, dtype if back else torch.float32, -20, 20)
    f = torch.ops.quantized_decomposed
    if back:
        d.call(name, x, *arguments, None, expected=f.dequantize_per_channel(x, *arguments), tolerance=0)
    else:
        d.call(name, x, *arguments, expected=f.quantize_per_channel(x, *arguments))


@case("quantized_decomposed::choose_qparams_per_token_asymmetric.out", "quantized_decomposed::quantize_per_token.out",
      "quantized_decomposed::dequantize_per_token.out")
def per_token(d, name):
    f = torch.ops.quantized_decomposed
    x = d.tensor(d.shape(1, 3), torch.float32, -3, 5)
    steps, zeros = f.choose_qparams_per_token_asymmetric(x, INT8)
    if "choose" in name:
        d.call(name, x, INT8, expected=(steps, zeros), tolerance=0)
        return
    q = f.quantize_per_token(x, steps, zeros, -128, 127, INT8)
    if "dequant" not in name:
        d.call(name, x, steps, zeros, -128, 127, INT8, expected=q)
    else:
        d.call(name, q, steps, zeros, -128, 127, INT8, torch.float32, tolerance=0,
               expected=f.dequantize_per_token(q, steps, zeros, -128, 127, INT8, torch.float32))


@case("quantized_decomposed::choose_qparams.Tensor_out")
def choose(d, name):
    x = d.tensor(d.shape(), torch.float32, -3, 5)
    low, high = d.pick([(-128, 127), (0, 255)])
    expected = torch.ops.quantized_decomposed.choose_qparams.tensor(x, low, high, 1e-5, INT8)
    d.call(name, x, low, high, 1e-5, INT8, expected=expected, tolerance=0)
