"""A checkpoint of GPT-2's full size, with drawn numbers: it loads within its own size of memory and half a minute, and writes with a cache."""

import json
import os
import subprocess
import sys

import pytest
import torch
from safetensors.torch import save_file

from pencil.experiments.pretrained.layouts import layout_of
from pencil.paths import ROOT

pytestmark = pytest.mark.slow

SAID = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "vocab_size": 50257, "n_positions": 1024}
BYTES = 548_105_171  # of the real file, whose list of names is a little longer
LOAD = """
import json, resource, sys, threading, time
import torch
from pencil.experiments.pretrained import checkpoint
from pencil.model import NextToken
torch.set_num_threads(1)
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before, start = peak(), time.perf_counter()
model = checkpoint.read(sys.argv[1]).model()
loaded = {"seconds": time.perf_counter() - start, "grown": peak() - before}
loaded["parameters"] = sum(parameter.numel() for parameter in model.parameters())
next_token, ids = NextToken(model, k=1), list(range(16))
for _ in range(8):
    ids.append(int(next_token(ids)[0].argmax()))
with torch.no_grad():
    wanted = model(torch.tensor([ids[:-1]]))[0, 15:].argmax(-1).tolist()
print(json.dumps(loaded | {"same": ids[16:] == wanted}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made, draw = tmp_path_factory.mktemp("full"), torch.Generator().manual_seed(0)
    tensors = {name: torch.randn(one.shape, generator=draw) * 0.02 for name, one in layout_of(SAID).sources.items()}
    tensors |= {f"h.{k}.attn.bias": torch.tril(torch.ones(1, 1, 1024, 1024)) for k in range(12)}  # the real file has these masks too
    save_file(tensors, made / "model.safetensors")
    (made / "config.json").write_text(json.dumps(SAID))
    return made


def test_a_full_size_loads_within_its_own_size_of_memory_and_half_a_minute_and_writes(folder):
    size = (folder / "model.safetensors").stat().st_size
    assert abs(size - BYTES) < 10_000
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", LOAD, folder], capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    found = json.loads(done.stdout)
    print(found)
    assert found["parameters"] == 124_439_808 and found["same"]
    assert found["grown"] < size and found["seconds"] < 30
