"""The measurements of chapter 18: all implementations agree, and the error without a GPU."""

import pytest
import torch

from pencil.cli import record
from pencil.errors import TaskError
from pencil.experiments.facts import flash_memory
from pencil.experiments.records import read


def test_the_ways_give_the_same():
    arrays = flash_memory.rows(700)
    wanted = flash_memory.square(*arrays)
    for way in flash_memory.WAYS.values():
        torch.testing.assert_close(way(*arrays), wanted)


def test_a_measurement_has_a_time_for_each_way_and_length():
    taken = flash_memory.seconds(flash_memory.WAYS, 64, 1)
    assert taken.keys() == flash_memory.WAYS.keys() and all(each > 0 for each in taken.values())


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here, and it would be measured")
def test_without_a_gpu_the_recording_says_so():
    with pytest.raises(TaskError, match="flash_kernel is measured on a GPU"):
        record.main(["flash_kernel"])
    with pytest.raises(TaskError, match="cuda"):
        record.main(["flash_kernel", "--device", "cuda"])


def test_the_recorded_square_is_in_memory_where_it_is_written_and_nowhere_else():
    recorded = read("flash_memory")
    assert (recorded["heads"], recorded["width"], tuple(recorded["lengths"])) == (flash_memory.HEADS, flash_memory.WIDTH, flash_memory.LENGTHS)
    assert recorded["square_mib"] == 2048
    for held in (recorded["mib"], recorded["training_mib"]):
        assert min(held["square"], held["sdpa_of_three_axes"]) >= recorded["square_mib"] > 8 * max(held["tiled"], held["sdpa"])


def test_the_recorded_kernel_writes_no_square_and_is_faster_forward_in_16_bits_alone():
    recorded = read("flash_kernel_cuda")
    assert (tuple(recorded["lengths"]), recorded["rounds"]) == (flash_memory.GPU_LENGTHS, flash_memory.GPU_ROUNDS)
    for kind, size in (("float32", 4), ("bfloat16", 2)):
        held = recorded[kind]["mib"]
        assert held["square"] >= flash_memory.HEADS * recorded["lengths"][-1] ** 2 * size / 2**20 > 100 * held["kernel"]
    full, half = (recorded[kind]["seconds"] for kind in ("float32", "bfloat16"))
    for k in range(3):
        assert half["sdpa"][k] < half["kernel"][k] < half["square"][k] < half["tiled"][k]
        assert full["square"][k] < full["kernel"][k] < full["tiled"][k]
    for kind in ("float32", "bfloat16"):
        there_and_back = recorded[kind]["training_seconds"]
        assert all(there_and_back["sdpa"][k] < there_and_back["square"][k] < there_and_back["kernel"][k] for k in range(3))
