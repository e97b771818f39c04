"""A checkpoint of GPT-2's full size with random weights: memory and time to load, and generation with a cache."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from pencil.experiments.pretrained.layouts import layout_of
from pencil.paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from Linux's /proc")]

SAID = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "vocab_size": 50257, "n_positions": 1024}
SMALL = {"n_embd": 12, "n_layer": 1, "vocab_size": 5}
BYTES = 548_105_171  # of the real file, whose list of names is a little longer
LOAD = '''
import json, sys, time
from pathlib import Path
import torch
from pencil.experiments.pretrained import checkpoint
from pencil.model import NextToken
torch.set_num_threads(1)
def peak():
    """Bytes, of this process alone: ru_maxrss would begin with what the parent had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
checkpoint.read(sys.argv[2]).model()  # torch brings in what it needs, which is no part of a model
before, start = peak(), time.perf_counter()
model = checkpoint.read(sys.argv[1]).model()
loaded = {"seconds": time.perf_counter() - start, "grown": peak() - before}
loaded["parameters"] = sum(parameter.numel() for parameter in model.parameters())
next_token, ids = NextToken(model, top_k=1), list(range(16))
for _ in range(8):
    ids.append(int(next_token(ids)[0].argmax()))
with torch.no_grad():
    wanted = model(torch.tensor([ids[:-1]]))[0, 15:].argmax(-1).tolist()
print(json.dumps(loaded | {"same": ids[16:] == wanted}))
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written(tmp_path_factory.mktemp("full"), SAID)


def written(made, said):
    draw = torch.Generator().manual_seed(0)
    tensors = {name: torch.randn(one.shape, generator=draw) * 0.02 for name, one in layout_of(said).sources.items()}
    tensors |= {f"h.{k}.attn.bias": torch.tril(torch.ones(1, 1, 1024, 1024)) for k in range(said["n_layer"])}  # the real file has these masks too
    save_file(tensors, made / "model.safetensors")
    (made / "config.json").write_text(json.dumps(said))
    return made


def test_a_full_size_loads_within_its_own_size_of_memory_and_half_a_minute_and_writes(folder, tmp_path):
    size = (folder / "model.safetensors").stat().st_size
    assert abs(size - BYTES) < 10_000
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, folder, written(tmp_path, SAID | SMALL)], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    found = json.loads(done.stdout)
    print(found)
    assert found["parameters"] == 124_439_808 and found["same"]
    assert size / 2 < found["grown"] < size and found["seconds"] < 30
