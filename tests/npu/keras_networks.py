# SPDX-License-Identifier: Apache-2.0
"""Published architectures with random weights, small, built with Keras and quantised by TensorFlow Lite's converter.

NETWORKS[name](rng) returns a Keras model whose weights are not yet random in every part; `convert` gives the .tflite."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers as L  # noqa: E402

NETWORKS = {}


def network(function):
    NETWORKS[function.__name__] = function
    return function


def pick(rng, *choices):
    return choices[int(rng.integers(0, len(choices)))]


def image(rng, *sizes):
    n = pick(rng, *sizes)
    return (n, n, 3)


def unit(x, channels, kernel=3, stride=1, act="relu", padding="same", dilation=1):
    """Convolution, normalisation, activation."""
    x = L.Conv2D(channels, kernel, stride, padding, dilation_rate=dilation, use_bias=False)(x)
    x = L.BatchNormalization()(x)
    return L.Activation(act)(x) if isinstance(act, str) else act()(x)


def separable(x, channels, kernel=3, stride=1, act="relu6", dilation=1):
    x = L.DepthwiseConv2D(kernel, stride, "same", dilation_rate=dilation, use_bias=False)(x)
    x = L.Activation(act)(L.BatchNormalization()(x))
    return unit(x, channels, 1, 1, act)


def enlarge(x, factor, method):
    h, w = x.shape[1:3]
    return L.Lambda(lambda t: tf.image.resize(t, (factor * h, factor * w), method))(x)


def gate(x, ratio=4):
    """Squeeze and excite."""
    c = x.shape[-1]
    s = L.GlobalAveragePooling2D(keepdims=True)(x)
    s = L.Conv2D(max(1, c // ratio), 1, activation="relu")(s)
    return L.Multiply()([x, L.Conv2D(c, 1, activation="sigmoid")(s)])


def head(x, classes=10):
    return L.Dense(classes, activation="softmax")(L.GlobalAveragePooling2D()(x))


def application(maker, **fixed):
    return lambda rng: maker(weights=None, classes=int(rng.integers(2, 30)), **{
        k: v(rng) if callable(v) else v for k, v in fixed.items()})


A = keras.applications
SMALL = {"input_shape": lambda rng: image(rng, 32, 48, 64)}
NETWORKS.update({
    "mobilenet_v1": application(A.MobileNet, alpha=lambda r: pick(r, 0.25, 0.5), **SMALL),
    "mobilenet_v2": application(A.MobileNetV2, alpha=lambda r: pick(r, 0.35, 0.5), **SMALL),
    "mobilenet_v3": application(A.MobileNetV3Small, alpha=0.75, minimalistic=lambda r: pick(r, True, False, False),
                                include_preprocessing=False, **SMALL),
    "densenet": application(A.DenseNet121, input_shape=(32, 32, 3)),
    "nasnet": application(A.NASNetMobile, input_shape=(32, 32, 3)),
    "efficientnet": application(A.EfficientNetV2B0, input_shape=(32, 32, 3), include_preprocessing=False),
})


@network
def resnet(rng):
    i = L.Input(image(rng, 32, 40, 33))
    x, c = unit(i, 16, pick(rng, 3, 5, 7), 2), 16
    for stage in range(int(rng.integers(2, 4))):
        for block in range(2):
            stride = 2 if stage and not block else 1
            y = unit(x, c // 2, 1)
            y = unit(y, c // 2, 3, stride)
            y = L.BatchNormalization()(L.Conv2D(2 * c, 1)(y))
            short = x if x.shape[-1] == 2 * c and stride == 1 else L.Conv2D(2 * c, 1, stride)(x)
            x = L.ReLU()(L.Add()([y, short]))
        c *= 2
    return keras.Model(i, head(x))


@network
def squeezenet(rng):
    i = L.Input(image(rng, 40, 48, 57))
    x = L.MaxPooling2D(3, 2)(L.Conv2D(16, 3, 2, activation="relu")(i))
    for c in (4, 4, 8, 12):
        s = L.Conv2D(c, 1, activation="relu")(x)
        x = L.Concatenate()([L.Conv2D(4 * c, 1, activation="relu")(s),
                             L.Conv2D(4 * c, 3, padding="same", activation="relu")(s)])
        if c == 8:
            x = L.MaxPooling2D(3, 2)(x)
    x = L.Conv2D(10, 1, activation="relu")(x)
    return keras.Model(i, L.Softmax()(L.GlobalAveragePooling2D()(x)))


@network
def shufflenet(rng):
    i = L.Input(image(rng, 32, 40))
    x, c = unit(i, 12, 3, 2), 12

    def shuffle(t):
        h, w = t.shape[1:3]
        t = L.Reshape((h, w, 2, t.shape[-1] // 2))(t)
        return L.Reshape((h, w, t.shape[3] * t.shape[4]))(L.Permute((1, 2, 4, 3))(t))
    for _ in range(int(rng.integers(1, 4))):
        half = c // 2
        left, right = x[..., :half], x[..., half:]
        right = unit(right, half, 1)
        right = L.BatchNormalization()(L.DepthwiseConv2D(3, padding="same")(right))
        x = shuffle(L.Concatenate()([left, unit(right, half, 1)]))
    return keras.Model(i, head(x))


@network
def inception(rng):
    i = L.Input(image(rng, 24, 33))
    x = unit(i, 12, 3, 2, padding="valid")
    for _ in range(int(rng.integers(1, 4))):
        c = int(rng.integers(3, 12))
        x = L.Concatenate()([
            unit(x, c, 1), unit(unit(x, c, 1), c + 1, 5), unit(unit(unit(x, c, 1), c, (1, 7)), c, (7, 1)),
            unit(L.AveragePooling2D(3, 1, "same")(x), c + 2, 1)])
    x = L.Concatenate()([unit(x, 8, 3, 2), L.MaxPooling2D(3, 2, "same")(x)])
    return keras.Model(i, head(x))


@network
def unet(rng):
    i = L.Input((16 * int(rng.integers(1, 4)), 16 * int(rng.integers(1, 4)), pick(rng, 1, 3)))
    x, skips, c = i, [], int(rng.integers(4, 12))
    for depth in range(3):
        x = unit(unit(x, c << depth), c << depth)
        skips.append(x)
        x = L.MaxPooling2D(2)(x)
    for depth in (2, 1, 0):
        kind = pick(rng, "transpose", "nearest", "bilinear")
        if kind == "transpose":
            x = L.Conv2DTranspose(c << depth, pick(rng, 2, 3, 4), 2, "same")(x)
        else:
            x = L.Conv2D(c << depth, 2, padding="same")(enlarge(x, 2, kind))
        x = unit(L.Concatenate()([skips[depth], x]), c << depth)
    return keras.Model(i, L.Conv2D(pick(rng, 1, 4), 1, activation=pick(rng, "sigmoid", "softmax", None))(x))


@network
def yolo(rng):
    def leaky():
        return L.LeakyReLU(negative_slope=0.1)
    i = L.Input(image(rng, 64, 96))
    x, c = i, 8
    skips = []
    for _ in range(4):
        x = L.MaxPooling2D(2)(unit(x, c, act=leaky))
        skips.append(x)
        c = min(2 * c, 32)
    x = L.MaxPooling2D(2, 1, "same")(unit(x, 32, act=leaky))
    coarse = L.Conv2D(3 * 7, 1)(unit(x, 24, 1, act=leaky))
    up = enlarge(unit(x, 16, 1, act=leaky), 2, "nearest")
    fine = L.Conv2D(3 * 7, 1)(unit(L.Concatenate()([up, skips[2]]), 24, act=leaky))
    flat = L.Concatenate(axis=1)([L.Reshape((-1, 7))(t) for t in (coarse, fine)])
    return keras.Model(i, pick(rng, [coarse, fine], flat, L.Activation("sigmoid")(flat)))


@network
def ssd(rng):
    i = L.Input(image(rng, 64, 80))
    x = unit(i, 8, 3, 2, "relu6")
    boxes, classes = [], []
    for c in (16, 24, 32, 32):
        x = separable(x, c, 3, 2)
        boxes.append(L.Reshape((-1, 4))(L.Conv2D(12, 1)(x)))
        classes.append(L.Reshape((-1, 5))(L.Conv2D(15, 3, padding="same")(x)))
    return keras.Model(i, [L.Concatenate(axis=1)(boxes), L.Activation("sigmoid")(L.Concatenate(axis=1)(classes))])


@network
def deeplab(rng):
    i = L.Input(image(rng, 48, 64))
    x = separable(separable(unit(i, 8, 3, 2), 16, 3, 2), 24)
    low = x
    x = separable(x, 32, 3, 2)
    h, w = x.shape[1:3]
    pooled = L.Conv2D(12, 1, activation="relu")(L.GlobalAveragePooling2D(keepdims=True)(x))
    pooled = L.Lambda(lambda t: tf.image.resize(t, (h, w)))(pooled)
    parts = [unit(x, 12, 1), pooled] + [pick(rng, unit, separable)(x, 12, 3, dilation=d) for d in (2, 3, 6)]
    x = enlarge(unit(L.Concatenate()(parts), 16, 1), 2, "bilinear")
    x = unit(L.Concatenate()([x, unit(low, 6, 1)]), 16)
    return keras.Model(i, enlarge(L.Conv2D(5, 1)(x), 4, "bilinear"))


@network
def wav2letter(rng):
    i = L.Input((int(rng.integers(60, 300)), 39))
    x = L.Conv1D(32, 48, 2, "same", activation="relu")(i)
    for _ in range(int(rng.integers(1, 4))):
        x = L.Conv1D(32, 7, padding="same", activation=lambda t: tf.nn.leaky_relu(t, 0.2))(x)
    x = L.Conv1D(64, 32, padding="same", activation="relu")(x)
    return keras.Model(i, L.Conv1D(29, 1)(L.Conv1D(64, 1, activation="relu")(x)))


@network
def tcn(rng):
    i = L.Input((int(rng.integers(20, 120)), int(rng.integers(1, 20))))
    c = int(rng.integers(4, 24))
    x = L.Conv1D(c, 1)(i)
    for d in (1, 2, 4, 8):
        y = L.Conv1D(c, 3, padding="causal", dilation_rate=d, activation="relu")(x)
        x = L.Add()([x, L.Conv1D(c, 1)(y)])
    return keras.Model(i, L.Dense(6)(L.ReLU()(x)))


@network
def ds_cnn(rng):
    i = L.Input((49, 10, 1))
    c = int(rng.integers(16, 65))
    x = unit(i, c, (10, 4), 2)
    for _ in range(4):
        x = separable(x, c, 3, 1, "relu")
    return keras.Model(i, head(x, 12))


@network
def dense_autoencoder(rng):
    i = L.Input((int(rng.integers(50, 640)),))
    x = i
    for n in (128, 128, 8, 128, 128):
        x = L.ReLU()(L.BatchNormalization()(L.Dense(n)(x)))
    return keras.Model(i, L.Dense(i.shape[-1])(x))


def lstm_step(units, x, state):
    """One step of an LSTM cell, each gate a matrix of its own."""
    def gate_of(act):
        y = L.Dense(units)(x)
        return L.Activation(act)(L.Add()([y, L.Dense(units, use_bias=False)(state[0])]) if state else y)
    cell = L.Multiply()([gate_of("sigmoid"), gate_of("tanh")])
    if state:
        cell = L.Add()([cell, L.Multiply()([gate_of("sigmoid"), state[1]])])
    return L.Multiply()([gate_of("sigmoid"), L.Activation("tanh")(cell)]), cell


def gru_step(units, x, state):
    if not state:
        return (L.Dense(units, activation="tanh")(x),)
    h = state[0]
    z, r = (L.Activation("sigmoid")(L.Add()([L.Dense(units)(x), L.Dense(units)(h)])) for _ in range(2))
    n = L.Activation("tanh")(L.Add()([L.Dense(units)(x), L.Multiply()([r, L.Dense(units)(h)])]))
    return (L.Add()([n, L.Multiply()([z, L.Subtract()([h, n])])]),)


@network
def recurrent(rng):
    """Steps written out."""
    steps, features, units = int(rng.integers(2, 6)), int(rng.integers(2, 20)), int(rng.integers(2, 20))
    step = pick(rng, lstm_step, gru_step)
    i = L.Input((steps, features), batch_size=1)
    state, seen = None, []
    for t in range(steps):
        state = step(units, L.Lambda(lambda v, t=t: v[:, t])(i), state)
        seen.append(state[0])
    return keras.Model(i, L.Dense(5)(L.Concatenate()(seen)))


def attend(rng, x, heads, causal=False):
    n, c = x.shape[1:]
    q, k, v = (L.Permute((2, 1, 3))(L.Reshape((n, heads, c // heads))(L.Dense(c)(x))) for _ in range(3))
    scores = L.Lambda(lambda t: tf.matmul(t[0], t[1], transpose_b=True) * (c // heads) ** -0.5)([q, k])
    if causal:
        mask = np.triu(np.full((n, n), -6.0, np.float32), 1)
        scores = L.Lambda(lambda t: t + mask)(scores)
    y = L.Lambda(lambda t: tf.matmul(t[0], t[1]))([L.Softmax()(scores), v])
    return L.Dense(c)(L.Reshape((n, c))(L.Permute((2, 1, 3))(y)))


def normalise(x):
    """Layer normalisation in operators that the converter quantises."""
    c = x.shape[-1]
    mean = L.Lambda(lambda t: tf.reduce_mean(t, -1, keepdims=True))
    away = L.Subtract()([x, mean(x)])
    spread = L.Lambda(lambda t: tf.math.rsqrt(t + 1e-3))(mean(L.Multiply()([away, away])))
    scale, shift = (np.random.default_rng(c).normal(m, 0.3, c).astype(np.float32) for m in (1, 0))
    return L.Lambda(lambda t: t * scale + shift)(L.Multiply()([away, spread]))


def transformer(rng, causal):
    heads = pick(rng, 1, 2, 4)
    n, c = int(rng.integers(3, 24)), heads * int(rng.integers(3, 12))
    i = L.Input((n, c), batch_size=1)
    x = i
    for _ in range(int(rng.integers(1, 3))):
        x = L.Add()([x, attend(rng, normalise(x), heads, causal)])
        y = L.Dense(2 * c, activation=pick(rng, "gelu", "relu"))(normalise(x))
        x = L.Add()([x, L.Dense(c)(y)])
    return keras.Model(i, L.Dense(7)(x))


@network
def transformer_encoder(rng):
    return transformer(rng, False)


@network
def transformer_decoder(rng):
    return transformer(rng, True)


@network
def conformer(rng):
    n, c = int(rng.integers(8, 40)), 8 * int(rng.integers(1, 4))
    i = L.Input((n, c), batch_size=1)
    x = L.Add()([i, L.Dense(c)(L.Dense(2 * c, activation="swish")(i))])
    x = L.Add()([x, attend(rng, x, 2)])
    y = L.Conv1D(2 * c, 1)(x)
    y = L.Multiply()([y[..., :c], L.Activation("sigmoid")(y[..., c:])])
    y = L.DepthwiseConv1D(7, padding="same")(y)
    x = L.Add()([x, L.Conv1D(c, 1)(L.Activation("swish")(L.BatchNormalization()(y)))])
    return keras.Model(i, L.Dense(5)(x))


@network
def conv_mixer(rng):
    i = L.Input(image(rng, 32, 48))
    c = int(rng.integers(8, 33))
    x = L.BatchNormalization()(L.Conv2D(c, 4, 4, activation="gelu")(i))
    for _ in range(int(rng.integers(1, 4))):
        y = L.BatchNormalization()(L.DepthwiseConv2D(pick(rng, 5, 7, 9), padding="same", activation="gelu")(x))
        x = L.BatchNormalization()(L.Conv2D(c, 1, activation="gelu")(L.Add()([x, y])))
    return keras.Model(i, head(x))


@network
def efficient_lite(rng):
    i = L.Input(image(rng, 32, 48))
    x = unit(i, 8, 3, 2, "relu6")
    for kernel, out, stride in ((3, 8, 1), (5, 12, 2), (3, 12, 1), (5, 16, 2)):
        y = unit(x, 4 * x.shape[-1], 1, act="relu6")
        y = L.ReLU(6)(L.BatchNormalization()(L.DepthwiseConv2D(kernel, stride, "same")(y)))
        if rng.random() < 0.4:
            y = gate(y)
        y = L.BatchNormalization()(L.Conv2D(out, 1)(y))
        x = L.Add()([x, y]) if y.shape == x.shape else y
    return keras.Model(i, head(unit(x, 32, 1, act="relu6")))


@network
def activations(rng):
    """Every activation once, in a chain of residual blocks."""
    i = L.Input(image(rng, 16, 24))
    x = unit(i, 8)
    kinds = ["relu", "relu6", "sigmoid", "tanh", "hard_sigmoid", "swish", "leaky_relu"]
    for kind in rng.permutation(kinds):
        x = L.Add()([x, L.Conv2D(8, 1)(L.Activation(str(kind))(L.Conv2D(8, 3, padding="same")(x)))])
    return keras.Model(i, L.PReLU(shared_axes=[1, 2])(x))


@network
def super_resolution(rng):
    i = L.Input((int(rng.integers(6, 30)), int(rng.integers(6, 30)), pick(rng, 1, 3)), batch_size=1)
    x = L.Conv2D(16, 5, padding="same", activation="tanh")(i)
    x = L.Add()([x, L.Conv2D(16, 3, padding="same", activation="relu")(x)])
    ways = (lambda t: L.Conv2DTranspose(3, 4, 2, "same")(t), lambda t: L.Conv2DTranspose(3, 9, 3, "same")(t),
            lambda t: L.Conv2D(3, 3, padding="same")(enlarge(t, 4, "bilinear")))
    return keras.Model(i, pick(rng, *ways)(x))


def randomise(model, rng):
    """Weights and normalisation parameters of every kind of spread."""
    for layer in model.layers:
        if isinstance(layer, L.BatchNormalization):
            c = layer.gamma.shape[0] if layer.gamma is not None else layer.moving_mean.shape[0]
            values = [rng.uniform(0.5, 1.5, c)] if layer.gamma is not None else []
            layer.set_weights(values + [rng.normal(0, 0.3, c), rng.normal(0, 0.3, c), rng.uniform(0.3, 2, c)])
        elif isinstance(layer, (L.Conv2D, L.DepthwiseConv2D, L.Conv1D, L.Dense)) and layer.use_bias:
            *rest, bias = layer.get_weights()
            layer.set_weights(rest + [rng.normal(0, 0.2, bias.shape)])


def convert(name, seed, kind):
    """The .tflite of a seed; kind: int8, int16 (int16 activations, int8 weights), per_tensor, uint8 (inputs and outputs)."""
    rng = np.random.default_rng([seed, sum(name.encode())])
    keras.utils.set_random_seed(int(rng.integers(0, 1 << 31)))
    model = NETWORKS[name](rng)
    randomise(model, rng)
    shapes = [(1, *i.shape[1:]) for i in model.inputs]
    function = tf.function(lambda *x: model(list(x) if len(x) > 1 else x[0], training=False)).get_concrete_function(
        *(tf.TensorSpec(s, tf.float32) for s in shapes))
    c = tf.lite.TFLiteConverter.from_concrete_functions([function])
    c.optimizations = [tf.lite.Optimize.DEFAULT]
    c.representative_dataset = lambda: ([rng.normal(0, 1, s).astype(np.float32) for s in shapes] for _ in range(3))
    c.target_spec.supported_ops = [tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
                                   if kind == "int16" else tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    c.inference_input_type = c.inference_output_type = {"int16": tf.int16, "uint8": tf.uint8}.get(kind, tf.int8)
    c._experimental_disable_per_channel = kind == "per_tensor"
    return c.convert()
