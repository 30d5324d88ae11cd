# SPDX-License-Identifier: Apache-2.0
"""One case of the corpus: a network made, compiled, run on the simulator and compared with the references."""
import os
import pickle
import shutil
import subprocess
import tempfile
import zlib

import numpy as np

RUNS = 2
GENERIC_DIFFERS = "ERROR generic code differs"


def make(family, seed):
    """The network of a seed: the generator, the bytes of the model, the values of the inputs per run."""
    from networks import FAMILIES
    from tflite_builder import Builder
    rng = np.random.default_rng([seed, zlib.crc32(family.encode())])
    b = Builder()
    ins, outs = FAMILIES[family](rng, b)
    blob = b.finish(ins, outs)
    return rng, blob, [b.inputs_for(ins, rng) for _ in range(RUNS)]


def save(folder, name, values):
    """Writes arrays as NAME_0.bin, NAME_1.bin, ...; returns the paths."""
    paths = [os.path.join(folder, f"{name}_{i}.bin") for i in range(len(values))]
    for path, value in zip(paths, values):
        np.ascontiguousarray(value).tofile(path)
    return paths


def simulate(program, accelerator, model, inputs, folder, *extra):
    """Bytes of the outputs; a text when the simulator ends with an error."""
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run([program, "npu", "--accelerator", accelerator, "--model", model, "--output", folder,
                           "--input", ",".join(inputs), *extra], capture_output=True, text=True, timeout=600)
    if done.returncode:
        return f"{done.returncode}: {done.stderr.strip()[:200]}"
    names = sorted((n for n in os.listdir(folder) if n.startswith("output_")), key=lambda n: (len(n), n))
    return [open(os.path.join(folder, n), "rb").read() for n in names]


def same(found, golden):
    return len(found) == len(golden) and all(f == np.ascontiguousarray(g).tobytes() for f, g in zip(found, golden))


def distance(found, golden):
    """How many elements differ, and by how much at most."""
    count = most = 0
    for f, g in zip(found, golden):
        f = np.frombuffer(f, g.dtype).astype(np.int64)
        if f.size != g.size:
            return "size differs"
        gap = np.abs(f - g.ravel().astype(np.int64))
        count, most = count + int((gap > 0).sum()), max(most, int(gap.max(initial=0)))
    return f"{count} differ, at most by {most}"


def verdict(blob, inputs, found):
    """'exact NAME' for the first reference that agrees with every run ('not OTHER': one of more trust does not),
    else how far the first is away."""
    import references
    other, far, died = "", "", False
    for name in references.ORDER:
        if died and name == "litert-builtin":  # LiteRT's and TFLite Micro's die of softmaxes whose values it rounds in its own way
            break
        outputs, deaths = zip(*(golden(name, blob, values) for values in inputs))
        died = died or any(deaths)
        if any(g is None for g in outputs):
            continue
        if all(same(f, g) for f, g in zip(found, outputs)):
            return f"exact {name}{other}"
        other += f" not {name}"
        far = far or f"DIFFERS {name}: " + "; ".join(distance(f, g) for f, g in zip(found, outputs))
    return far or "no reference"


def run(program, family, seed, accelerator, keep=None, generic=True):
    """The result of one case of a family in words; a case that is not exact stays in the folder KEEP."""
    rng, blob, inputs = make(family, seed)
    return run_model(program, f"{family}_{seed}", rng, blob, inputs, accelerator, keep, generic)


def run_model(program, name, rng, blob, inputs, accelerator, keep=None, generic=True):
    """The result of one model compiled for one accelerator, with options drawn, and run with each of its inputs."""
    import vela
    options = vela.draw_options(rng, accelerator)
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.tflite")
        open(path, "wb").write(blob)
        model = vela.compile_file(path, accelerator, options, work)
        if not model:
            return "refused"
        if not vela.only_npu(model):
            return "left to the CPU"
        found = []
        for n, values in enumerate(inputs):
            files = save(work, f"in{n}", values)
            out = simulate(program, accelerator, model, files, os.path.join(work, f"out{n}"))
            if generic and not isinstance(out, str):
                slow = simulate(program, accelerator, model, files, os.path.join(work, f"slow{n}"), "--host-simd",
                                "generic")
                if slow != out:
                    out = GENERIC_DIFFERS.removeprefix("ERROR ")
            found.append(out)
        wrong = [f for f in found if isinstance(f, str)]
        result = "ERROR " + wrong[0] if wrong else verdict(blob, inputs, found)
        if keep and not result.startswith("exact"):
            target = os.path.join(keep, f"{name}_{accelerator}")
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(work, target)
            open(os.path.join(target, "result"), "w").write(f"{result}\n{accelerator}\n{' '.join(options)}\n")
        return result


def apart(function, *arguments):
    """Calls a function in a child, since compilers and references can crash: the bytes that it returns, and the child's status."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1), os.dup2(silent, 2)
        try:
            with os.fdopen(writer, "wb") as f:
                f.write(function(*arguments))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as f:
        data = f.read()
    return data, os.waitpid(child, 0)[1]


def isolated(function, *arguments):
    """The text that a function returns, called in a child."""
    def text():
        try:
            return function(*arguments).encode()
        except Exception as e:  # noqa: BLE001  a mistake of the generator is a result as well
            return f"GENERATOR {type(e).__name__}: {str(e)[:150]}".encode()

    data, status = apart(text)
    return data.decode() or f"crashed (signal {status & 127})"


def golden(name, blob, inputs):
    """Outputs by the reference of that name, None when it cannot run the model; and has it died of it?"""
    import references
    data, status = apart(lambda: pickle.dumps(references.golden(name, blob, inputs)))
    return pickle.loads(data) if data else None, status != 0
