"""Times the training steps of HalfCell's benchmark networks in PyTorch on one GPU.

The networks and learning rates are those of benchmarks/, the batches too but for ResNet-50's larger one. A step is forward, cross entropy,
backward and momentum SGD on one batch of random data that lies on the device. Whatever a mode changes, it starts from the same parameters,
and its loss after three steps must be near that of plain FP32 before it is timed.
"""

import argparse
import collections
import functools
import gc
import json
import math
import statistics
import subprocess
import time
import traceback
from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn
from torch._dynamo.utils import counters

CLASSES = 10
TOLERANCE = 0.1
BLOCKS = 5
HALVES = {"fp16": torch.float16, "bf16": torch.bfloat16}

# In place, as nothing before it needs its own result for its gradient.
relu = functools.partial(nn.ReLU, inplace=True)


class WithLoss(nn.Module):
    """A network and its loss, so that one compilation sees both."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, data, labels):
        return nn.functional.cross_entropy(self.network(data), labels)


class Residual(nn.Module):
    """What the branch makes of x, plus what the shortcut does."""

    def __init__(self, branch, shortcut=()):
        super().__init__()
        self.branch = nn.Sequential(*branch)
        self.shortcut = nn.Sequential(*shortcut)

    def forward(self, x):
        return self.branch(x) + self.shortcut(x)


class SelfAttention(nn.Module):
    """Attention of [N, T, features] to itself, with four projections of their own."""

    def __init__(self, features, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(features, features) for _ in range(4))

    def forward(self, x):
        heard = [part(x).unflatten(2, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)]
        return self.output(nn.functional.scaled_dot_product_attention(*heard).transpose(1, 2).flatten(2))


class Encoder(nn.Module):
    """A transformer's encoder that normalises first; the mean of its vectors is classified."""

    def __init__(self):
        super().__init__()
        layers = []
        for _ in range(4):
            feed_forward = [nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 256)]
            layers += [Residual([nn.LayerNorm(256), SelfAttention(256, 4)]), Residual([nn.LayerNorm(256), *feed_forward])]
        self.encoder = nn.Sequential(*layers, nn.LayerNorm(256))
        self.head = nn.Linear(256, CLASSES)

    def forward(self, x):
        return self.head(self.encoder(x).mean(1))


def lenet5():
    """LeNet-5 with ReLU and max pooling."""
    convolutions = [nn.Conv2d(1, 6, 5), relu(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), relu(), nn.MaxPool2d(2)]
    dense = [nn.Linear(400, 120), relu(), nn.Linear(120, 84), relu(), nn.Linear(84, CLASSES)]
    return nn.Sequential(*convolutions, nn.Flatten(), *dense)


def normalized(inputs, outputs, kernel, stride=1):
    """A convolution without bias that keeps the size but for its stride, and its normalisation."""
    return [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs)]


def basic(inputs, inner, outputs, stride):
    """Two convolutions of 3 x 3."""
    return [*normalized(inputs, inner, 3, stride), relu(), *normalized(inner, outputs, 3)]


def bottleneck(inputs, inner, outputs, stride):
    """1 x 1, 3 x 3 and 1 x 1; the middle one strides, which is version 1.5."""
    return [*normalized(inputs, inner, 1), relu(), *normalized(inner, inner, 3, stride), relu(), *normalized(inner, outputs, 1)]


def resnet(stem, branch, width, expansion, stages, classes):
    """Stages of so many blocks, each of twice the channels; shortcuts project where they have to (option B)."""
    layers, inputs = [*stem], width
    for stage, blocks in enumerate(stages):
        inner, outputs = width << stage, expansion * width << stage
        for index in range(blocks):
            stride = 2 if stage > 0 and index == 0 else 1
            shortcut = () if inputs == outputs and stride == 1 else normalized(inputs, outputs, 1, stride)
            layers += [Residual(branch(inputs, inner, outputs, stride), shortcut), relu()]
            inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes))


def resnet20():
    return resnet([*normalized(3, 16, 3), relu()], basic, 16, 1, (3, 3, 3), CLASSES)


def resnet50():
    return resnet([*normalized(3, 64, 7, 2), relu(), nn.MaxPool2d(3, 2, 1)], bottleneck, 64, 4, (3, 4, 6, 3), 1000)


Network = collections.namedtuple("Network", "name build sample batch rate parameters least", defaults=[20])

# Cheap ones first; a block of the timing has at least so many steps.
NETWORKS = [
    Network("lenet5", lenet5, (1, 32, 32), 128, 0.01, 61_706),
    Network("encoder4x256", Encoder, (128, 256), 16, 0.01, 3_162_122),
    Network("resnet20", resnet20, (3, 32, 32), 128, 0.01, 272_474),
    Network("resnet50", resnet50, (3, 224, 224), 256, 1e-5, 25_557_032, least=8),
]


class Mode(NamedTuple):
    """How steps are taken: by autocast to a half or not, with what optimizer, captured or compiled."""

    name: str
    half: str | None = None
    tf32: bool = True
    fused: bool = False
    captured: bool = False
    compiled: str | None = None

    @property
    def label(self):
        return f"{self.name}:{self.half}" if self.half else self.name


FP32 = Mode("fp32", tf32=False)
MODES = [
    FP32,
    Mode("tf32"),
    *(Mode("amp", half) for half in HALVES),
    *(Mode("amp-fused", half, fused=True) for half in HALVES),
    *(Mode("graph", half, fused=True, captured=True) for half in HALVES),
    *(Mode("compile", half, fused=True, compiled="default") for half in HALVES),
    *(Mode("reduce-overhead", half, fused=True, compiled="reduce-overhead") for half in HALVES),
]


def plan(networks, modes):
    """What is timed, in this order: compiled steps last, since they take longest to begin, and few of ResNet-50, the slowest."""
    cases = (
        (network, mode, layout)
        for network in networks
        for mode in modes
        if not mode.compiled or network.name != "resnet50" or mode.label == "reduce-overhead:bf16"
        for layout in layouts(network, mode)
    )
    return sorted(cases, key=lambda case: case[1].compiled is not None)


def layouts(network, mode):
    """Both where either may be the faster one and the processor does not hide it, else the usual one."""
    if len(network.sample) < 3:
        return [None]
    usual = "nchw" if mode == FP32 else "nhwc"
    return ["nchw", "nhwc"] if mode.name in ("tf32", "graph") else [usual]


class Training:
    """Steps of a network on one batch, all from the same start."""

    def __init__(self, network, mode, layout):
        self.mode = mode
        torch.manual_seed(1)
        with torch.device("cuda"):
            self.model = WithLoss(network.build())
            self.data = torch.randn(network.batch, *network.sample)
            self.labels = torch.randint(CLASSES, (network.batch,))
        count = sum(parameter.numel() for parameter in self.model.parameters())
        if count != network.parameters:
            raise ValueError(f"{network.name} has {count} parameters, not HalfCell's {network.parameters}")
        if layout == "nhwc":
            self.model = self.model.to(memory_format=torch.channels_last)
            self.data = self.data.to(memory_format=torch.channels_last)
        # None rather than False: False would also turn off the usual implementation by foreach.
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=network.rate, momentum=0.9, fused=mode.fused or None)
        # So low that no step overflows, for fused SGD lets a step that the scaler skips into its momentum.
        self.scaler = torch.amp.GradScaler("cuda", init_scale=1024.0, growth_interval=2**30, enabled=mode.half == "fp16")
        if mode.compiled:
            self.model = torch.compile(self.model, mode=mode.compiled)

    def __call__(self):
        """Takes a step; the loss before it, without the autograd graph, whose nodes would tie later steps to this one's stream."""
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=HALVES.get(self.mode.half), enabled=self.mode.half is not None):
            loss = self.model(self.data, self.labels)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()


def captured(training):
    """A function that replays a whole step, the loss scaler's part too, from one CUDA graph, which does not keep its tensors alive."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
        loss = training()

    def replay():
        graph.replay()
        return loss

    return replay


def use_tf32(allowed):
    """By the older flags alone: not every part of PyTorch can read what the newer ones set."""
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def started(network, mode, layout):
    """The training, how its steps are taken from now on, and the loss that the first three have come to."""
    training = Training(network, mode, layout)
    training()
    # cuDNN tries algorithms in the first step, whose workspaces are none of the steps' own memory.
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    training()
    step = captured(training) if mode.captured else training
    step()
    return training, step, step().item()


@functools.cache
def fp32_loss(network):
    use_tf32(False)
    return started(network, FP32, "nchw")[2]


def ms_per_step(step, steps):
    """Over steps between which nothing waits for the device, unless the step itself does."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - begin) / steps


def time_blocks(row, step, least, seconds):
    """Notes what a step takes after half a second of them: the median over blocks of at least so many steps."""
    cold = ms_per_step(step, least)
    warm = ms_per_step(step, max(least, round(500 / cold)))
    steps = max(least, round(1e3 * seconds / BLOCKS / warm))
    row["blocks_ms"] = [ms_per_step(step, steps) for _ in range(BLOCKS)]
    row["ms"] = statistics.median(row["blocks_ms"])


def measure(row, network, mode, seconds):
    """Fills the row of a network and mode."""
    expected = fp32_loss(network)
    if mode.compiled:
        torch.compiler.reset()
        counters.clear()
    gc.collect()
    torch.cuda.empty_cache()
    use_tf32(mode.tf32)
    begin = time.perf_counter()
    training, step, loss = started(network, mode, row["layout"])
    difference = abs(loss - expected) / abs(expected)
    if not difference <= TOLERANCE:  # So put that NaN fails too.
        raise ArithmeticError(f"the loss after three steps is {loss}, in FP32 {expected}")
    row |= {"loss": loss, "loss_fp32": expected, "loss_difference": difference, "start_s": time.perf_counter() - begin}
    time_blocks(row, step, network.least, seconds)
    row |= {"samples_per_s": 1e3 * network.batch / row["ms"], "peak_bytes": torch.cuda.max_memory_allocated()}
    if mode.half == "fp16":
        row["loss_scaling"] = f"GradScaler, {training.scaler.get_scale():g} at the end" + (", captured with the step" if mode.captured else "")
    if mode.compiled == "reduce-overhead":
        row["cudagraph_skips"] = counters["inductor"]["cudagraph_skips"]
    if not math.isfinite(step().item()):
        raise ArithmeticError("the loss did not stay finite while steps were timed")


def attempt(row, action, *arguments):
    """The row that the action fills, with its error if it fails: the others are still worth having."""
    try:
        action(row, *arguments)
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {error}"[:2000]
        traceback.print_exc(limit=-4)
    return row


def measure_ceiling(row, work, amount, unit):
    """The rate of the work, of which one piece does the amount."""
    time_blocks(row, work, 5, 0.5)
    row[unit] = amount / row["ms"]


def measure_ceilings(report):
    """Of products of two matrices of 8192 x 8192, and of a copy of 1 GiB: bytes read and bytes written."""
    for name, dtype in {**HALVES, "fp32": torch.float32, "tf32": torch.float32}.items():
        use_tf32(name != "fp32")
        left, right = (torch.randn(8192, 8192, device="cuda", dtype=dtype) for _ in range(2))
        product = functools.partial(torch.mm, left, right)
        report.add("ceilings", attempt({"what": f"matmul 8192^3 {name}"}, measure_ceiling, product, 2 * 8192**3 / 1e9, "tflops"))
    source, target = (torch.rand(2**28, device="cuda") for _ in range(2))
    copy = functools.partial(target.copy_, source)
    report.add("ceilings", attempt({"what": "copy 1 GiB"}, measure_ceiling, copy, 2 * source.nbytes / 1e6, "gb_per_s"))


class Report:
    """All that is measured, in a file that is whole after every entry."""

    def __init__(self, path):
        self.path = path
        driver = subprocess.getoutput("nvidia-smi --query-gpu=driver_version --format=csv,noheader")
        versions = {"torch": torch.__version__, "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version()}
        self.content = {"device": torch.cuda.get_device_name(0), "driver": driver, **versions, "ceilings": [], "rows": [], "not_run": []}

    def add(self, kind, entry):
        print(json.dumps(entry), flush=True)
        self.content[kind].append(entry)
        whole = self.path.with_suffix(".tmp")
        whole.write_text(json.dumps(self.content, indent=1), encoding="utf-8")
        whole.replace(self.path)

    def print_table(self):
        print(f"\n{self.content['device']}, driver {self.content['driver']}, torch {self.content['torch']}")
        for entry in self.content["ceilings"]:
            print(entry["what"], *(f"{entry[rate]:.1f} {rate}" for rate in ("tflops", "gb_per_s") if rate in entry))
        print(f"{'network':13}{'batch':>5} {'mode':16}{'half':5}{'layout':6}{'ms':>9}{'samples/s':>11}{'peak MB':>9}{'loss':>9}")
        for row in self.content["rows"]:
            ms, rate, peak, loss = (row.get(key, math.nan) for key in ("ms", "samples_per_s", "peak_bytes", "loss"))
            name = f"{row['network']:13}{row['batch']:5} {row['mode']:16}{row['half'] or '-':5}{row['layout'] or '-':6}"
            print(f"{name}{ms:9.3f}{rate:11.0f}{peak / 1e6:9.0f}{loss:9.4f}", row.get("error", "").partition("\n")[0][:80])
        print("not run:", ", ".join(self.content["not_run"]) or "none")


def chosen(known, names_of, text):
    """The entries that have one of the names, which commas separate."""
    names = set(text.split(","))
    if unknown := names.difference(*map(names_of, known)):
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}")
    return [entry for entry in known if names & names_of(entry)]


def options():
    networks = functools.partial(chosen, NETWORKS, lambda network: {network.name})
    modes = functools.partial(chosen, MODES, lambda mode: {mode.name, mode.label})
    parser = argparse.ArgumentParser(description="Times PyTorch's training steps on one GPU.")
    parser.add_argument("--networks", type=networks, default=NETWORKS, help=", ".join(network.name for network in NETWORKS))
    parser.add_argument("--modes", type=modes, default=MODES, help=", ".join(mode.label for mode in MODES) + ", or without the half")
    parser.add_argument("--seconds-per-mode", type=float, default=2.0, metavar="SECONDS", help="that the timed blocks of a row take, or longer")
    parser.add_argument("--budget", type=float, default=math.inf, metavar="SECONDS", help="after which no row begins")
    parser.add_argument("--out", type=Path, default=Path("baselines.json"), metavar="FILE")
    return parser.parse_args()


def main():
    begin = time.perf_counter()
    given = options()
    torch.backends.cudnn.benchmark = True
    # Not the default stream, for that cannot be captured; all of such a row uses it, since what eager steps leave behind is tied to theirs.
    side = torch.cuda.Stream()
    report = Report(given.out)
    measure_ceilings(report)
    for network, mode, layout in plan(given.networks, given.modes):
        if time.perf_counter() - begin > given.budget:
            report.add("not_run", " ".join(filter(None, (network.name, mode.label, layout))))
            continue
        row = {"network": network.name, "batch": network.batch, "mode": mode.name, "half": mode.half, "layout": layout}
        row["optimizer"] = "SGD fused" if mode.fused else "SGD foreach"
        with torch.cuda.stream(side if mode.captured else None):
            report.add("rows", attempt(row, measure, network, mode, given.seconds_per_mode))
    report.print_table()


if __name__ == "__main__":
    main()
