# SPDX-License-Identifier: Apache-2.0
"""What a .tflite model should compute, by several implementations. ORDER is the order of trust: LiteRT's reference
kernels, TFLite Micro (LSTM, and where LiteRT has no kernel), LiteRT's optimised kernels (sums in int8)."""
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

ORDER = ("litert-ref", "tflm", "litert-builtin")


def litert(resolver):
    def run(blob, inputs):
        interpreter = Interpreter(model_content=blob, experimental_op_resolver_type=resolver, num_threads=1)
        interpreter.allocate_tensors()
        for detail, value in zip(interpreter.get_input_details(), inputs):
            interpreter.set_tensor(detail["index"], value)
        interpreter.invoke()
        return [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
    return run


def tflm(blob, inputs):
    from tflite_micro.python.tflite_micro import runtime
    interpreter = runtime.Interpreter.from_bytes(blob)
    for i, value in enumerate(inputs):
        interpreter.set_input(value, i)
    interpreter.invoke()
    return [np.array(interpreter.get_output(i)) for i in range(outputs_of(blob))]


def outputs_of(blob):
    from ai_edge_litert import schema_py_generated as s
    return s.Model.GetRootAsModel(blob, 0).Subgraphs(0).OutputsLength()


RUN = {"litert-ref": litert(OpResolverType.BUILTIN_REF), "tflm": tflm,
       "litert-builtin": litert(OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)}


def golden(name, blob, inputs):
    """Outputs by the implementation NAME, or None when it cannot run the model."""
    try:
        return RUN[name](blob, inputs)
    except (RuntimeError, ValueError, SystemError, TypeError, AttributeError, KeyError):
        return None
