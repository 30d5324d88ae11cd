# SPDX-License-Identifier: Apache-2.0
"""Networks on the NPU alone, against the golden outputs of the runtime's demonstration model."""
import concurrent.futures
import pathlib

import numpy as np
import pytest

import fvpsim

MODELS = pathlib.Path(__file__).parents[2] / "runtime" / "models"
MODEL = MODELS / "classifier_ethos-u55-128.tflite"
SYSTEMS = pathlib.Path(__file__).parents[1] / "npu" / "published" / "systems.ini"


def image():
    return np.fromfile(MODELS / "classifier_input.bin", np.int8)


def golden():
    return np.fromfile(MODELS / "classifier_golden.bin", np.int8)


def shaped(npu, model=MODEL):
    return image().reshape(npu.network(model).inputs[0].shape)


def test_outputs_are_golden_and_the_profile_adds_up():
    npu = fvpsim.Npu("ethos-u55-128")
    outputs, profile = npu.run(MODEL, shaped(npu))
    assert outputs[0].dtype == np.int8 and outputs[0].ravel().tolist() == golden().tolist()
    assert profile.cycles > 0 and profile.cycles >= max(op["finish"] for op in profile.operations)
    assert profile.events["MAC_ACTIVE"] > 0
    assert {op["kind"] for op in profile.operations} >= {"conv", "depthwise", "add", "dma"}


def test_the_same_again_and_by_bytes_name_and_without_dimensions_of_one():
    npu = fvpsim.Npu("ethos-u55-128")
    tensor = npu.network(MODEL).inputs[0]
    first, profile = npu.run(MODEL, shaped(npu))
    for model, inputs in ((MODEL, [shaped(npu)]), (MODEL.read_bytes(), {tensor.name: shaped(npu)}),
                          (str(MODEL), np.squeeze(shaped(npu)))):
        outputs, again = npu.run(model, inputs)
        assert (outputs[0] == first[0]).all() and again == profile


def test_real_numbers_are_quantised_and_come_back_as_such():
    npu = fvpsim.Npu("ethos-u55-128")
    network = npu.network(MODEL)
    real = network.inputs[0].dequantise(shaped(npu))
    outputs, _ = npu.run(MODEL, real)
    assert outputs[0].dtype == np.float32
    assert (network.outputs[0].quantise(outputs[0]).ravel() == golden()).all()
    stored, _ = npu.run(MODEL, real, dequantise=False)
    assert (stored[0].ravel() == golden()).all()


@pytest.mark.parametrize("wrong, reason", [
    (lambda x: x[..., :1], "shape"), (lambda x: x.astype(np.int16), "int16 values"), (lambda x: [x, x], "2 inputs"),
    (lambda x: {"nothing": x}, "nothing"), (lambda x: np.full(x.shape, np.nan), "finite")])
def test_inputs_that_do_not_fit(wrong, reason):
    npu = fvpsim.Npu("ethos-u55-128")
    with pytest.raises(fvpsim.UsageError, match=reason):
        npu.run(MODEL, wrong(shaped(npu)))


def test_models_that_do_not_fit(tmp_path):
    with pytest.raises(fvpsim.UsageError, match="no accelerator of that name"):
        fvpsim.Npu("ethos-u99")
    npu = fvpsim.Npu("ethos-u55-128")
    with pytest.raises(fvpsim.UsageError, match="cannot be read"):
        npu.run(tmp_path / "none.tflite")
    with pytest.raises(fvpsim.UsageError, match="ethos-u55-128"):
        npu.run(MODELS / "classifier_ethos-u65-256.tflite", image())
    with pytest.raises(fvpsim.UsageError):
        npu.run(b"no model at all", image())


def test_a_method_by_its_name():
    npu, folder = fvpsim.Npu("ethos-u55-128"), pathlib.Path(__file__).parents[1] / "npu" / "programs" / "methods"
    given = np.fromfile(folder / "in_0.bin", np.float32).reshape(1, 2, 4, 4)
    for method, file in (("encode", "encode_0.bin"), (None, "gold_0.bin"), ("forward", "gold_0.bin")):
        outputs, _ = npu.run(folder / "model.pte", given, method=method)
        assert outputs[0].tobytes() == (folder / file).read_bytes()
    with pytest.raises(fvpsim.UsageError, match="no method 'decode'; it has encode, forward"):
        npu.network(folder / "model.pte", method="decode")


def test_the_memory_system_changes_cycles_and_no_result():
    fast, slow = fvpsim.Npu("ethos-u55-128", memory="none"), fvpsim.Npu("ethos-u55-128", memory="u55-deep-embedded")
    (a,), p = fast.run(MODEL, shaped(fast))
    (b,), q = slow.run(MODEL, shaped(slow))
    assert (a == b).all() and p.cycles < q.cycles


def test_a_vela_ini_gives_the_memory_system():
    system = {"config": SYSTEMS, "system_config": "Ethos_U55_High_End_Embedded"}
    usual, slow = fvpsim.Npu("ethos-u55-128", **system), fvpsim.Npu("ethos-u55-128", memory=",ext.read_latency=5000", **system)
    assert usual.run(MODEL, shaped(usual))[1].cycles < slow.run(MODEL, shaped(slow))[1].cycles
    other = fvpsim.Npu("ethos-u55-128", config=SYSTEMS, system_config="Other")
    with pytest.raises(fvpsim.UsageError, match="there are: Ethos_U55_High_End_Embedded"):
        other.run(MODEL, image())


def test_a_report_has_the_operations_of_the_latest_run():
    npu = fvpsim.Npu("ethos-u55-128")
    for _ in range(2):
        _, profile = npu.run(MODEL, shaped(npu))
    run = npu.network(MODEL).report()
    assert run.npu_cycles == profile.cycles
    assert [(op.kind, op.cycles, op.utilisation, op.causes.get("waiting", 0)) for op in run.operations] == \
        [(op["kind"], op["cycles"], op["utilisation"], op["waiting"]) for op in profile.operations]


def test_tensors_of_each_operation_follow_the_data():
    npu = fvpsim.Npu("ethos-u55-128")
    outputs, profile = npu.run(MODEL, shaped(npu), tensors=True)
    with_maps = [i for i, op in enumerate(profile.operations) if op["kind"] != "dma"]
    assert len(profile.tensors) == len(profile.zero_points) == len(profile.operations)
    assert [i for i, t in enumerate(profile.tensors) if t] == with_maps
    before = shaped(npu)
    for i in with_maps:
        op, tensors = profile.operations[i], profile.tensors[i]
        assert tensors["ifm"].shape == (1, *op["ifm"]) and tensors["ofm"].shape == (1, *op["ofm"])
        assert ("weights" in tensors) == (op["kind"] in ("conv", "depthwise"))
        if op["kind"] != "add":
            assert (tensors["ifm"] == before).all()
        before = tensors["ofm"]
    assert (before.ravel() == outputs[0].ravel()).all()
    assert profile.zero_points[with_maps[-1]]["ofm"] == npu.network(MODEL).outputs[0].zero_point
    again, plain = npu.run(MODEL, shaped(npu))
    assert not plain.tensors and plain.cycles == profile.cycles and (again[0] == outputs[0]).all()


def test_a_convolution_is_the_product_of_its_tensors():
    npu = fvpsim.Npu("ethos-u55-128")
    _, profile = npu.run(MODEL, shaped(npu), tensors=True)
    last = max(i for i, op in enumerate(profile.operations) if op["kind"] == "conv")
    tensors, zeros = profile.tensors[last], profile.zero_points[last]
    pixel = tensors["ifm"].reshape(-1).astype(np.int64) - zeros["ifm"]
    sums = tensors["weights"].reshape(tensors["weights"].shape[0], -1).astype(np.int64) @ pixel
    order = np.argsort(sums)
    result = tensors["ofm"].reshape(-1)[order].astype(int)
    assert tensors["weights"].dtype == np.int16 and np.ptp(sums) > 0
    assert np.corrcoef(sums[order], result)[0, 1] > 0.9  # but for bias and scale of each channel


def test_several_on_several_threads():
    def one(_):
        npu = fvpsim.Npu("ethos-u55-128")
        outputs, profile = npu.run(MODEL, shaped(npu))
        return outputs[0].tobytes(), profile.cycles
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(one, range(12)))) == 1


def test_rounding_of_real_inputs_is_to_nearest_and_saturates():
    tensor = fvpsim.Tensor("x", (6,), np.dtype("i1"), 0.5, 3)
    given = np.array([0.0, 0.25, -0.25, 0.2, 1000.0, -1000.0])
    assert tensor.quantise(given).tolist() == [3, 4, 2, 3, 127, -128]
    assert tensor.dequantise(np.array([3, 4], np.int8)).tolist() == [0.0, 0.5]


@pytest.mark.parametrize("inputs", [[], [np.zeros(5, np.int8)], [image()] * 2, [np.full(image().shape, 300)], ["text"]])
def test_a_network_takes_what_its_npu_takes(inputs):
    with pytest.raises(fvpsim.UsageError):
        fvpsim.Npu("ethos-u55-128").network(MODEL).run(inputs)
