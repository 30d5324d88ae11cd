# SPDX-License-Identifier: Apache-2.0
"""What a .tflite model should compute, by several implementations. ORDER is the order of trust: LiteRT's reference
kernels, numpy (comparisons of int16, which LiteRT refuses and of which TFLite Micro says false), TFLite Micro (LSTM, and where LiteRT
has no kernel), LiteRT's optimised kernels (sums in int8)."""
import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter, OpResolverType

ORDER = ("litert-ref", "numpy", "tflm", "litert-builtin")
ARENA = 16 << 20  # bytes of memory for tensors of TFLite Micro


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
    interpreter = runtime.Interpreter.from_bytes(blob, arena_size=10 * len(blob) + ARENA)  # its own ten times a small model is too little
    for i, value in enumerate(inputs):
        interpreter.set_input(value, i)
    interpreter.invoke()
    return [np.array(interpreter.get_output(i)) for i in range(outputs_of(blob))]


def compared(blob, inputs):
    """One comparison of tensors of one scale."""
    model = s.ModelT.InitFromObj(s.Model.GetRootAsModel(blob, 0))
    graph, = model.subgraphs
    operator, = graph.operators
    x, z = (graph.tensors[i].quantization for i in operator.inputs)
    if (x.scale != z.scale).any() or (x.zeroPoint != z.zeroPoint).any():
        raise ValueError("of different scales")
    code = model.operatorCodes[operator.opcodeIndex].builtinCode
    return [{s.BuiltinOperator.EQUAL: np.equal, s.BuiltinOperator.NOT_EQUAL: np.not_equal, s.BuiltinOperator.GREATER: np.greater,
             s.BuiltinOperator.GREATER_EQUAL: np.greater_equal, s.BuiltinOperator.LESS: np.less,
             s.BuiltinOperator.LESS_EQUAL: np.less_equal}[code](*inputs)]


def outputs_of(blob):
    return s.Model.GetRootAsModel(blob, 0).Subgraphs(0).OutputsLength()


RUN = {"litert-ref": litert(OpResolverType.BUILTIN_REF), "numpy": compared, "tflm": tflm,
       "litert-builtin": litert(OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)}


def golden(name, blob, inputs):
    """Outputs by the implementation NAME, or None when it cannot run the model."""
    try:
        return RUN[name](blob, inputs)
    except (RuntimeError, ValueError, SystemError, TypeError, AttributeError, KeyError):
        return None
