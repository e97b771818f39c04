"""A run on disk: all that it takes to go on as if nothing had happened."""

import os
import pickle
from dataclasses import asdict
from pathlib import Path

import torch

NAME = "checkpoint.pt"
AWAY = "rename it to keep it, or delete it: then the run begins anew"
ELSEWHERE = {"cuda": torch.cuda, "mps": torch.mps}  # devices that draw by a generator of their own


def save(folder, state):
    """Write to a file beside, then put it in the old one's place: whoever is killed meanwhile leaves the old one whole."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f"{NAME}.{os.getpid()}"
    with beside.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, folder / NAME)


def load(folder, setting):  # -> state, or None where there is none
    """The state that `save` left, on the CPU: `put_back` takes it where the model is.

    Raises ValueError for one that another setting left, as going on would mix two runs, and for a file that cannot be read
    or is no checkpoint of a run.
    """
    file = Path(folder) / NAME
    if not file.is_file():
        return None
    try:
        state = torch.load(file, map_location="cpu", weights_only=True)
    except PermissionError:  # whole, and another's
        raise
    except (OSError, RuntimeError, LookupError, ValueError, EOFError, pickle.UnpicklingError) as wrong:  # cut off, empty, or no checkpoint at all
        why = f"{type(wrong).__name__}: {wrong}".splitlines()[0].removesuffix(": ")
        raise ValueError(f"{file} cannot be read ({why}); {AWAY}") from wrong
    if not (isinstance(state, dict) and "setting" in state):
        raise ValueError(f"{file} is no checkpoint of a run; {AWAY}")
    told, kept = _told(setting), state["setting"]
    other = [name for name in told if told[name] != kept.get(name)]
    if other:
        name = other[0]
        raise ValueError(f"{file} comes from a run with {name}={kept.get(name)}, and this one has {name}={told[name]}; take another folder")
    return state


def state_of(model, optimiser, team, progress, setting):  # -> state
    """Dials, Adam's memories, the generators of every process, and where the run stands. Every process has to ask for it."""
    generators = team.gather(_generators(setting.device))
    return {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "generators": generators,
        "progress": progress,
        "setting": _told(setting),
    }


def put_back(state, model, optimiser, team, setting):  # -> progress
    """Everything as it was. Raises ValueError for another count of processes."""
    if len(state["generators"]) != team.size:
        raise ValueError(f"the checkpoint is of {len(state['generators'])} process(es), and these are {team.size}; start as many")
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    generators = state["generators"][team.rank]
    torch.set_rng_state(generators["cpu"].cpu())
    if setting.device in ELSEWHERE:
        ELSEWHERE[setting.device].set_rng_state(generators[setting.device].cpu())
    return state["progress"]


def _generators(device):
    return {"cpu": torch.get_rng_state()} | ({device: ELSEWHERE[device].get_rng_state()} if device in ELSEWHERE else {})


def _told(setting):  # how often it is saved changes no number
    return {name: value for name, value in asdict(setting).items() if name != "save_every"}
