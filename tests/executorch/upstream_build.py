# SPDX-License-Identifier: Apache-2.0
"""Builds ExecuTorch's own runner from checkouts of its sources, with the operators that are wanted."""
import glob
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# folder: where it comes from, commit that ExecuTorch 1.4.1 goes with, a file that must be there
SOURCES = {
    "executorch": ("https://github.com/pytorch/executorch", "e4d02f41f7909e8ed5bf4a14ffc520d733453d9f", "codegen/gen.py"),
    "CMSIS-NN": ("https://github.com/ARM-software/CMSIS-NN", "dbf45dbfcc515421dd6099037d3e2637b90748c8", "Include/arm_nnfunctions.h"),
    "hal_ethos_u": ("https://github.com/zephyrproject-rtos/hal_ethos_u", "03567073fe2b9802c0bd73f9534da6f8a03924d1",
                    "include/ethosu_driver.h"),
    "CMSIS_6": ("https://github.com/ARM-software/CMSIS_6", "d01c3e6e71a82e9bb830b516fe243df6b9a57389", "CMSIS/Core/Include/core_cm55.h"),
    "flatbuffers": ("https://github.com/google/flatbuffers", "595bf0007ab1929570c7671f091313c8fc20644e",
                    "include/flatbuffers/flatbuffers.h"),
}
# accelerator, its registers and interrupt, linker script, whether tensors lie in DDR; Cortex-M alone runs on the first one
BOARDS = {"ethos-u55-128": ("u55", 0x58102000, 56, "Corstone-300.ld", False), "ethos-u65-256": ("u65", 0x58102000, 56, "Corstone-300.ld", True),
          "ethos-u85-256": ("u85", 0x50004000, 16, "Corstone-320.ld", True)}
RUNTIME = """runtime/backend/interface runtime/core/device_allocator runtime/core/device_memory_buffer runtime/core/evalue runtime/core/tag
    runtime/core/tensor_layout runtime/core/exec_aten/util/tensor_shape_to_c_string runtime/core/exec_aten/util/tensor_util_portable
    runtime/core/portable_type/tensor_impl runtime/executor/method runtime/executor/method_meta runtime/executor/program
    runtime/executor/program_validation runtime/executor/pte_data_map runtime/executor/tensor_parser_exec_aten
    runtime/executor/tensor_parser_portable runtime/kernel/operator_registry runtime/platform/abort runtime/platform/log
    runtime/platform/platform runtime/platform/profiler runtime/platform/runtime schema/extended_header kernels/prim_ops/et_copy_index
    kernels/prim_ops/et_view kernels/prim_ops/register_prim_ops extension/runner_util/inputs extension/runner_util/inputs_portable
    devtools/bundled_program/bundled_program""".split()
DELEGATE = """backends/arm/runtime/EthosUBackend backends/arm/runtime/EthosUBackend_IoMemcpy backends/arm/runtime/VelaBinStream
    backends/arm/runtime/EthosUBackend_Cortex_M examples/arm/executor_runner/arm_executor_runner
    examples/arm/executor_runner/arm_perf_monitor examples/arm/executor_runner/arm_memory_allocator""".split()
# library: its list of operators, the generator's option for the list, its folder of kernels
LIBRARIES = {"portable": ("kernels/portable/functions.yaml", "--functions-yaml-path", "kernels/portable/cpu"),
             "quantized": ("kernels/quantized/quantized.yaml", "--custom-ops-yaml-path", "kernels/quantized/cpu"),
             "cortex_m": ("backends/cortex_m/ops/operators.yaml", "--custom-ops-yaml-path", "backends/cortex_m/ops")}
# -fno-if-conversion2 and -ffp-contract=off: as in runtime/meson.build, so that what differs is not the compiler's choice
FLAGS = """-mcpu=cortex-m55 -mthumb -mfloat-abi=hard -Os -fno-if-conversion2 -ffp-contract=off -ffunction-sections -fdata-sections -w -Wno-psabi
    -DC10_USING_CUSTOM_GENERATED_MACROS -DNDEBUG
    -DET_ENABLE_DEPRECATED_CONSTANT_BUFFER=0 -DET_ENABLE_PROGRAM_VERIFICATION=0 -DET_MIN_LOG_LEVEL=Info
    -DFLATBUFFERS_MAX_ALIGNMENT=1024 -DMAX_KERNEL_NUM=2000 -DARM_NN_ENABLE_F16=0 -DARM_NN_ENABLE_F32=0""".split()
RUNNER = """-DSEMIHOSTING -DET_BUNDLE_IO -DET_ATOL=0.01 -DET_RTOL=0.01 -DET_NUM_INFERENCES=1
    -DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE=83886080""".split()


def missing(folder):
    """A line for each checkout that is not in the folder."""
    return [f"{os.path.join(folder, name)} ({url}, commit {commit})" for name, (url, commit, file) in SOURCES.items()
            if not os.path.exists(os.path.join(folder, name, file))]


class Build:
    """Ninja's file for one board in one folder."""

    def __init__(self, sources, folder, python, target, operators):
        self.sources, self.folder, self.python = os.path.abspath(sources), os.path.abspath(folder), python
        self.root = os.path.join(self.sources, "executorch")
        self.npu, self.base, self.irq, self.script, self.in_ddr = BOARDS[target]
        self.operators, self.objects, self.lines = sorted(operators), [], []
        os.makedirs(self.folder, exist_ok=True)

    def generated(self, *parts):
        return os.path.join(self.folder, "generated", *parts)

    def schemas(self):
        """The headers that flatc makes; the wheel has that very version of it."""
        flatc = subprocess.run([self.python, "-c", "import executorch.data.bin, os; print(list(executorch.data.bin.__path__)[0])"],
                               check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1] + "/flatc"
        for folder in ("schema", "devtools/bundled_program/schema", "extension/flat_tensor/serialize"):
            out = self.generated("executorch", folder)
            os.makedirs(out, exist_ok=True)
            subprocess.run([flatc, "--cpp", "--cpp-std", "c++11", "--gen-mutable", "--scoped-enums", "-o", out,
                            *glob.glob(os.path.join(self.root, folder, "*.fbs"))], check=True)

    def registration(self, name):
        """Generates the table of those operators of a library that are wanted; gives its file and the kernels' names."""
        import yaml
        listed, option, _ = LIBRARIES[name]
        with open(os.path.join(self.root, listed)) as f:
            entries = yaml.safe_load(f)
        kernels = {}
        for entry in entries:
            operator = entry["op"] if "op" in entry else entry["func"].split("(")[0]
            operator = operator if "::" in operator else "aten::" + operator
            if operator in self.operators:
                kernels[operator] = [k["kernel_name"].split("::")[-1] for k in entry["kernels"]]
        out = self.generated(name)
        os.makedirs(out, exist_ok=True)
        if not kernels:
            return None, []
        packaged = subprocess.run([self.python, "-c", "import torchgen; print(list(torchgen.__path__)[0])"], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout.split()[-1] + "/packaged/ATen/native/"
        chosen = os.path.join(out, "selected_operators.yaml")
        environment = dict(os.environ, PYTHONPATH=self.root)
        for line in (["codegen.tools.gen_oplist", "--output_path=" + chosen, "--root_ops=" + ",".join(kernels)],
                     ["codegen.gen", "--source-path=" + os.path.join(self.root, "codegen"), "--install-dir=" + out,
                      f"--tags-path={packaged}tags.yaml", f"--aten-yaml-path={packaged}native_functions.yaml",
                      "--op-selection-yaml-path=" + chosen, f"{option}={os.path.join(self.root, listed)}"]):
            subprocess.run([self.python, "-m", *line], cwd=self.root, env=environment, check=True)
        return os.path.join(out, "RegisterCodegenUnboxedKernelsEverything.cpp"), sum(kernels.values(), [])

    def kernel_files(self, name, kernels):
        """The files that define these functions; a macro makes some of them."""
        files = sorted(glob.glob(os.path.join(self.root, LIBRARIES[name][2], "op_*.cpp")))
        texts = {file: open(file).read() for file in files}
        return [file for file in files if any(re.search(rf"\b{k}\b", texts[file]) for k in kernels)]

    def linker_script(self):
        """The board's, but constants lie in DDR: those of many operators are more than the memory holds to which the start-up code
        would copy them."""
        with open(os.path.join(self.root, "examples/arm/executor_runner", self.script)) as f:
            text = f.read()
        text = text.replace("LONG ((__rodata_end__ - __rodata_start__) / 4)", "LONG (0)")
        text = re.sub(r"(__rodata_end__ = \.;\s*} >) DTCM AT >DDR", r"\1 DDR", text)
        path = os.path.join(self.folder, "board.ld.in")
        with open(path, "w") as f:
            f.write(text)
        return path

    def add(self, file, extra=(), name=None):
        """One object; kernels keep their names, by which the linker script places them."""
        path = os.path.relpath(file, self.sources) if name is None else name
        output = "obj/" + path.replace("..", "_").lstrip("/") + ".obj"
        rule = "c" if file.endswith(".c") else "cxx"
        self.lines.append(f"build {output}: {rule} {file}\n  extra = {' '.join(extra)}")
        self.objects.append(output)

    def write(self):
        self.schemas()
        includes = [self.generated(), self.generated("executorch"), self.sources, os.path.join(self.root, "runtime/core/portable_type/c10"),
                    *(os.path.join(self.sources, name) for name in ("flatbuffers/include", "CMSIS-NN/Include", "hal_ethos_u/include",
                                                                    "CMSIS_6/CMSIS/Core/Include")), HERE]
        npu = ["-DETHOSU", f"-DETHOSU{self.npu[1:]}", f"-DETHOSU_ARCH={self.npu}", "-DETHOSU_MACS=" + ("128" if self.npu == "u55" else "256"),
               f"-DNPU_IRQ={self.irq}", f"-DNPU_BASE={self.base:#x}", "-DETHOSU_LOG_SEVERITY=2"]
        pools = ["-DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=" + ("0x4000000" if self.in_ddr else "0x200000")]
        pools += ["-DET_ARM_BAREMETAL_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=0x60000"] if self.in_ddr else []
        for name in RUNTIME:
            self.add(os.path.join(self.root, name + ".cpp"))
        for name in DELEGATE:
            self.add(os.path.join(self.root, name + ".cpp"), [*npu, *RUNNER, *pools, "-include", "upstream_device.h"])
        for file in ("ethosu_driver", "ethosu_pmu", "ethosu_device_u85" if self.npu == "u85" else "ethosu_device_u55_u65"):
            self.add(os.path.join(self.sources, "hal_ethos_u/src", file + ".c"), [*npu, "-include", "upstream_device.h"])
        self.add(os.path.join(HERE, "upstream_target.c"), npu, "upstream_target.c")
        for name in LIBRARIES:
            table, kernels = self.registration(name)
            if table:
                self.add(table, name=f"{name}_table.cpp")
            for file in self.kernel_files(name, kernels):
                self.add(file)
        for file in sorted(glob.glob(os.path.join(self.root, "kernels/portable/cpu/util/*.cpp")) +
                           glob.glob(os.path.join(self.root, "kernels/portable/cpu/pattern/*.cpp"))):
            self.add(file)
        for file in sorted(glob.glob(os.path.join(self.sources, "CMSIS-NN/Source/*/*.c"))):
            if not file.endswith(("_f16.c", "_f32.c")) and "LSTM" not in file and "SVDF" not in file and "/Bindings/" not in file:
                self.add(file)
        flags, paths = " ".join(FLAGS), " ".join("-I" + path for path in includes)
        with open(os.path.join(self.folder, "build.ninja"), "w") as f:
            f.write(f"""rule c
  command = arm-none-eabi-gcc {flags} {paths} -std=gnu11 $extra -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
rule cxx
  command = arm-none-eabi-g++ {flags} {paths} -std=c++17 -fno-rtti -fno-exceptions -fno-unwind-tables $extra -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
rule script
  command = arm-none-eabi-gcc -E -x c -P -DETHOSU_MODEL=1 -DETHOSU_ARENA={int(self.in_ddr)} $in -o $out
rule link
  command = arm-none-eabi-g++ -mcpu=cortex-m55 -mthumb -mfloat-abi=hard --specs=rdimon.specs -Wl,--nmagic,--gc-sections -T board.ld @$out.rsp -o $out
  rspfile = $out.rsp
  rspfile_content = $in
build board.ld: script {self.linker_script()}
build runner.elf: link {' '.join(self.objects)} | board.ld
""" + "\n".join(self.lines) + "\n")

    def run(self, jobs):
        """The runner's path."""
        self.write()
        subprocess.run(["ninja", "--quiet", "-C", self.folder, "-j", str(jobs), "runner.elf"], check=True)
        return os.path.join(self.folder, "runner.elf")
