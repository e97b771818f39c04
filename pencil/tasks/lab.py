"""Train the machines yourself: the contest, the distance from "not" to "good", the time a step takes."""

import argparse

from pencil.clone import TaskError
from pencil.tasks import lab_writer

LABS = {  # name: what it does
    "contest": "four machines on film reviews",
    "distance": "does a word reach another, so many words away?",
    "speed": "time against length",
    **lab_writer.LABS,
}
RECORDED_WITH = {"--record", "--seed", "--threads", "--device"}  # what a recording heeds; all else about it is the book's


def main(argv):
    """`python -m pencil lab NAME [options]`; alone it lists the labs; `--record` measures all of one for the book's record."""
    if not argv:
        for name, says in LABS.items():
            print(f"  {name:<10} {says}")
        return 0
    given = _parse(argv)
    if given.record:
        from pencil.tasks import record

        return record.main([given.recording, "--seed", str(given.seed), "--threads", str(given.threads)])
    import torch  # takes two seconds

    from pencil.labs.device import device_of

    torch.set_num_threads(given.threads)
    try:
        device_of(given.device)
        run = {"contest": _contest, "distance": _distance, "speed": _speed, "tiny-gpt": lab_writer.teach, "write": lab_writer.write}
        return run[given.lab](given)
    except ValueError as wrong:  # a setting that makes no sense: the message says what to do
        raise TaskError(str(wrong)) from None


def _parse(argv):
    parser = argparse.ArgumentParser(prog="python -m pencil lab", description=__doc__, allow_abbrev=False)
    labs = parser.add_subparsers(dest="lab", required=True)
    contest, distance, speed, teach, write = (labs.add_parser(name, help=says, description=says, allow_abbrev=False) for name, says in LABS.items())
    for lab in (contest, distance, speed, teach):
        _common(lab)
    lab_writer.add(teach, write)
    for lab, more in ((contest, ""), (distance, ' "Transformer with seats"')):
        lab.add_argument("--machine", nargs="+", help=f"only these: SimpleRNN LSTM BiLSTM Transformer Averages{more}")
        lab.add_argument("--passes", type=int, default=5 if lab is contest else 40, help="times through the pile")
    contest.add_argument("--data", choices=["embedded", "full"], default="embedded", help="the book's own reviews, or IMDB")
    contest.add_argument("--batch", type=int, default=64)
    contest.add_argument("--rate", type=float, default=1e-3)
    contest.add_argument("--dropout", type=float, default=0.1)
    contest.add_argument("--slots", type=int, default=100)
    contest.add_argument("--keep", choices=["first", "last"], default="first", help="which end of a long review")
    contest.add_argument("--bare", action="store_true", help="the padding is not masked")
    contest.add_argument("--mixed", action="store_true", help="bfloat16, on cuda")
    contest.add_argument("--folder", help="keep checkpoints there, and go on from those that are there")
    distance.add_argument("--task", choices=["reach", "order"], default="reach")
    distance.add_argument("--gap", type=int, nargs="+", default=[1, 20, 79])
    given = parser.parse_args(argv)
    given.recording = {"speed": "speed_cpu", "tiny-gpt": "tiny_gpt"}.get(given.lab, given.lab)
    if given.record:
        _refuse_what_a_record_drops(given, argv)
    return given


def _refuse_what_a_record_drops(given, argv):
    plain = f"python -m pencil lab {given.lab}"
    if given.device != "cpu":
        raise TaskError(f"the record is of a CPU: type `{plain} --record`, without --device")
    if dropped := sorted({word.partition("=")[0] for word in argv if word.startswith("--")} - RECORDED_WITH):
        words = " and ".join(dropped)
        raise TaskError(f"the record is made in the book's own settings, and {words} would be dropped: leave out {words}, or leave out --record")


def _common(lab):
    lab.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    lab.add_argument("--seed", type=int, default=0)
    lab.add_argument("--threads", type=int, default=2, help="of the CPU: 2")
    lab.add_argument("--record", action="store_true", help="measure everything that the book quotes, and write it down")


def _contest(given):
    from pencil.data.reviews import load
    from pencil.labs import contest
    from pencil.labs.sheets import Slots
    from pencil.labs.team import joined
    from pencil.labs.training import Training

    names = given.machine or contest.FOUR
    training = Training(given.passes, given.batch, given.rate, seed=given.seed, device=given.device, mixed=given.mixed, save_every=50)
    with joined(given.device) as team:
        tell = print if team.rank == 0 else (lambda *line, **how: None)
        piles = contest.piles(load(given.data), Slots(slots=given.slots, keep=given.keep))
        tell(f"{len(piles.learn)} reviews to learn from, {len(piles.choose)} to choose by, {len(piles.sealed)} sealed")
        found = {}
        for name in names:
            folder = given.folder and f"{given.folder}/{name}"
            result, _ = contest.enter(name, piles, training, not given.bare, folder, team, given.dropout)
            found[name] = result.last
            tell(_curve(result), flush=True)
        tell(f"best on the sealed pile: {max(found, key=found.get)}")
    return 0


def _curve(result):
    from pencil.rounding import show

    passes = ", ".join(show(100 * row["accuracy"], 1) for row in result.history)
    return f"{result.machine:<12} right after each pass, in %: {passes}; sealed pile: {show(100 * result.last, 1)}"


def _distance(given):
    from dataclasses import replace

    from pencil.labs import distance
    from pencil.rounding import show

    taught = replace(distance.TAUGHT, device=given.device, passes=given.passes)
    for gap in given.gap:
        for name in given.machine or distance.MACHINES:
            accuracy, passes = distance.learned(name, given.task, gap, given.seed, training=taught)
            print(f"{given.task}, {gap} word(s) on: {name:<22} {show(100 * accuracy, 1):>6} % right after {passes} pass(es)", flush=True)
    return 0


def _speed(given):
    from pencil.labs import speed
    from pencil.rounding import show

    found = speed.measure(given.seed, given.threads, given.device)
    print(f"milliseconds for one step of {found['texts']} texts; {found['chip']}")
    print("{:<12}".format("words"), *(f"{length:>9}" for length in found["lengths"]))
    for name, row in found["milliseconds"].items():
        print(f"{name:<12}", *(f"{show(each, 1):>9}" for each in row))
    return 0
