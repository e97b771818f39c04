"""Checkpoints of a run. A run that resumes from one gives the same numbers as an uninterrupted run."""

import os
import pickle
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from pathlib import Path

import torch
from filelock import FileLock, Timeout

try:
    import fcntl
except ImportError:
    fcntl = None

from pencil.experiments.training.device import ACCELERATORS
from pencil.experiments.training.identity import difference
from pencil.paths import half_files, moved_into_place

PARTS = {"model": dict, "optimizer": dict, "generators": list, "progress": dict, "identity": dict}  # of a state, and their types
NAME, LOCK = "checkpoint.pt", "checkpoint.lock"
UNREADABLE = OSError, RuntimeError, LookupError, ValueError, EOFError, pickle.UnpicklingError, zipfile.BadZipFile, zlib.error
REMEDY = "rename it to keep it, or delete it: then the run begins anew"


@contextmanager
def locked(folder):
    """Lock a checkpoint folder for one run, and remove partial files that killed runs have left there.

    The operating system releases the lock when the process ends, even if it is killed. Raises ValueError if another run holds the lock, or
    if the folder cannot be created.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise ValueError(f"nothing can be kept in {folder} ({wrong.strerror}): take another folder") from None
    with ExitStack() as locks:
        try:
            locks.enter_context(FileLock(folder / LOCK, timeout=0))
            locks.enter_context(_held(folder))
        except (Timeout, BlockingIOError):
            raise ValueError(f"another run is at work in {folder}: wait until it is over, or take another folder") from None
        for left in half_files(folder / NAME):
            left.unlink()
        yield


@contextmanager
def _held(folder):
    """Lock the folder itself, where the system can: a lock file may be deleted while it is held. Raises BlockingIOError if another run has it."""
    if fcntl is None:  # Windows deletes no file that is open
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # such as a network's folder: there the lock file alone tells
            pass
        yield
    finally:
        os.close(held)


def save(folder, state):
    """Write the state atomically: if the process is killed, the previous checkpoint is still intact."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with moved_into_place(folder / NAME) as beside, beside.open("wb") as file:
        try:
            torch.save(state, file)
        except RuntimeError as failed:  # torch hides the OSError of a failed write, such as a full disk, in the context
            raise failed.__context__ if isinstance(failed.__context__, OSError) else failed from None


def load(folder, identity):  # Path, {name: str} -> state, or None if there is no checkpoint
    """Load the state that `save` wrote, onto the CPU; `restore` moves it to the model's device.

    Raises ValueError if the checkpoint's identity (see identity.py) differs from `identity`, or if the file is not a readable checkpoint.
    """
    file = Path(folder) / NAME
    if not file.is_file():
        return None
    try:
        _check_sums(file)
        state = torch.load(file, map_location="cpu", weights_only=True)
    except PermissionError:  # the file may be intact, so do not suggest deleting it
        raise
    except UNREADABLE as error:  # truncated, empty, or not a checkpoint
        why = f"{type(error).__name__}: {error}".splitlines()[0].removesuffix(": ")
        raise ValueError(f"{file} cannot be read ({why}); {REMEDY}") from error
    if not (isinstance(state, dict) and all(isinstance(state.get(name), kind) for name, kind in PARTS.items())):
        raise ValueError(f"{file} is no checkpoint of a run; {REMEDY}")
    if found := difference(state["identity"], identity):
        name, stored, own = found
        raise ValueError(f"{file} comes from a run with {name}={stored}, and this one has {name}={own}; take another folder")
    return state


def _check_sums(file):
    """Raise ValueError for a file of torch.save of which a bit has changed: torch writes a CRC-32 of each of its records, and reads none."""
    if not zipfile.is_zipfile(file):
        return  # torch.load says what is wrong with it
    with zipfile.ZipFile(file) as records:
        if broken := records.testzip():
            raise ValueError(f"the checksum of its {broken} is not right")


def capture(model, optimizer, group, progress, config, identity):  # -> state
    """Collect the model's and optimizer's states, the random states of every process, and the progress. Collective: every process calls it."""
    generators = group.all_gather(_generators(config.device))
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "generators": generators,
        "progress": progress,
        "identity": identity,
    }


def restore(state, model, optimizer, group, config):  # -> progress
    """Restore what `capture` collected. Raises ValueError if the number of processes differs."""
    if len(state["generators"]) != group.size:
        raise ValueError(f"the checkpoint is of {len(state['generators'])} process(es), and these are {group.size}; start as many")
    try:
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        generators = state["generators"][group.rank]
        torch.set_rng_state(generators["cpu"].cpu())
        if config.device in ACCELERATORS:
            ACCELERATORS[config.device].set_rng_state(generators[config.device].cpu())
    except torch.OutOfMemoryError:  # the checkpoint may be intact
        raise
    except (LookupError, TypeError, AttributeError, ValueError, RuntimeError) as error:  # somebody changed it by hand
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ValueError(f"the checkpoint is not as it was saved ({why}); {REMEDY}") from error
    return state["progress"]


def _generators(device):
    return {"cpu": torch.get_rng_state()} | ({device: ACCELERATORS[device].get_rng_state()} if device in ACCELERATORS else {})
