"""Run experiments: the contest, a long-range task, the time of a training step, the tiny GPT."""

import re

from pencil.cli import experiment_writer
from pencil.cli.arguments import MOST_THREADS, above, integer, share, typed_path
from pencil.errors import Parser, TaskError

EXPERIMENTS = {  # name: what it does
    "contest": "four models on film reviews",
    "long-range": "does a word reach another, so many words away?",
    "speed": "time against length",
    **experiment_writer.EXPERIMENTS,
}
RECORDED_WITH = {"--record", "--seed", "--threads", "--device"}  # options that --record takes; everything else is fixed in a record


def main(argv):
    """`python -m pencil experiment NAME [options]`. Without a name it lists them; `--record` measures the experiment's whole record."""
    if not argv:
        for name, description in EXPERIMENTS.items():
            print(f"  {name:<10} {description}")
        return 0
    given = _parse(argv)
    if given.record:
        from pencil.cli import record

        return record.main([given.recording, "--seed", str(given.seed), "--threads", str(given.threads), "--device", given.device])
    import torch  # slow, so not for listing

    from pencil.experiments.training.device import device_of

    torch.set_num_threads(given.threads)
    try:
        device_of(given.device)
        run = {"contest": _contest, "long-range": _long_range, "speed": _speed}
        return (run | experiment_writer.RUN)[given.experiment](given)
    except ValueError as error:  # an invalid setting
        raise TaskError(str(error)) from None
    except (MemoryError, RuntimeError) as error:
        if said := _what_the_device_lacks(error, given.device):
            raise TaskError(said) from None
        raise


def _what_the_device_lacks(error, device):  # -> str, or None for any other error
    """A message for running out of memory (torch's messages differ by device), and for an operation that mps lacks."""
    why = str(error).partition("\n")[0]
    if isinstance(error, MemoryError) or re.search("out of memory|can't allocate memory|not enough memory", why):
        return f"it needs more memory than {device} has ({why}): make the model, the batch or the text smaller"
    if isinstance(error, NotImplementedError) and device == "mps":
        return f"{why} Set PYTORCH_ENABLE_MPS_FALLBACK=1, and the CPU does what mps does not have; or train with --device cpu"
    return None


def _parse(argv):
    parser = Parser(prog="python -m pencil experiment", description=__doc__)
    names = parser.add_subparsers(dest="experiment", required=True)
    made = (names.add_parser(name, help=each, description=each) for name, each in EXPERIMENTS.items())
    contest, long_range, speed, tiny_gpt, write, opened = made
    for experiment in (contest, long_range, speed, tiny_gpt):
        _add_common(experiment)
    experiment_writer.add(tiny_gpt, write, opened)
    for experiment, more in ((contest, ""), (long_range, ' "Transformer with positions"')):
        experiment.add_argument("--model", nargs="+", help=f"only these: SimpleRNN LSTM BiLSTM Transformer Averages{more}")
        experiment.add_argument("--epochs", type=integer(1), default=5 if experiment is contest else 40, help="passes over the training set")
    contest.add_argument("--data", choices=["embedded", "full"], default="embedded", help="the book's own reviews, or IMDB")
    contest.add_argument("--batch-size", type=integer(1), default=64)
    contest.add_argument("--lr", type=above(0), default=1e-3, help="learning rate")
    contest.add_argument("--dropout", type=share, default=0.1)
    contest.add_argument("--max-len", type=integer(1), default=100, help="words of a review that are read")
    contest.add_argument("--keep", choices=["first", "last"], default="first", help="which end of a long review")
    contest.add_argument("--no-mask", action="store_true", help="the padding is not masked")
    contest.add_argument("--amp", action="store_true", help="bfloat16, on cuda")
    contest.add_argument("--folder", type=typed_path, help="keep checkpoints there, and resume from those that are there")
    long_range.add_argument("--task", choices=["reach", "order"], default="reach")
    long_range.add_argument("--gap", type=integer(1), nargs="+", default=[1, 20, 79])
    given = parser.parse_args(argv)
    given.recording = {"long-range": "long_range", "tiny-gpt": "tiny_gpt"}.get(given.experiment, given.experiment)
    if given.record:
        _refuse_what_a_record_drops(argv)
    return given


def _refuse_what_a_record_drops(argv):
    if dropped := sorted({word.partition("=")[0] for word in argv if word.startswith("--")} - RECORDED_WITH):
        words = " and ".join(dropped)
        raise TaskError(f"the record is made in the book's own settings, and {words} would be dropped: leave out {words}, or leave out --record")


def _add_common(experiment):
    experiment.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    experiment.add_argument("--seed", type=integer(0, 2**32 - 1), default=0)
    experiment.add_argument("--threads", type=integer(1, MOST_THREADS), default=1, help="CPU threads: 1, since more seldom pay for models this small")
    experiment.add_argument("--record", action="store_true", help="measure everything that the book quotes, and write it down")


def _contest(given):
    from pencil.data.reviews import load
    from pencil.experiments.contest import entrants
    from pencil.experiments.contest.encoding import EncodingConfig
    from pencil.experiments.training.config import TrainingConfig
    from pencil.experiments.training.distributed import process_group

    names = given.model or entrants.FOUR
    for name in names:  # before the first of them is trained
        entrants.refuse_unknown(name)
    config = TrainingConfig(given.epochs, given.batch_size, given.lr, seed=given.seed, device=given.device, amp=given.amp, save_every=50)
    with process_group(given.device) as group:
        say = print if group.rank == 0 else (lambda *line, **how: None)
        splits = entrants.make_splits(load(given.data), EncodingConfig(max_len=given.max_len, keep=given.keep))
        say(f"{len(splits.train)} reviews to learn from, {len(splits.validation)} to choose by, {len(splits.test)} in the test set")
        found = {}
        for name in names:
            folder = given.folder and given.folder / name
            result, _ = entrants.run_model(name, splits, config, not given.no_mask, folder, group, given.dropout)
            found[name] = max(row["accuracy"] for row in result.history)
            say(_curve(result), flush=True)
        say(f"best by the validation set: {max(found, key=found.get)}")
    return 0


def _curve(result):
    from pencil.rounding import show

    accuracies = ", ".join(show(100 * row["accuracy"], 1) for row in result.history)
    return f"{result.model:<12} right after each pass, in %: {accuracies}; test set: {show(100 * result.last, 1)}"


def _long_range(given):
    from dataclasses import replace

    from pencil.experiments.contest import entrants, long_range
    from pencil.rounding import show

    config = replace(long_range.TRAINING, device=given.device, epochs=given.epochs)
    names = given.model or long_range.MODELS
    for name in names:
        entrants.refuse_unknown(name, long_range.MODELS)
    for gap in given.gap:
        for name in names:
            accuracy, epochs = long_range.train_and_test(name, given.task, gap, given.seed, training=config)
            print(f"{given.task}, {gap} word(s) on: {name:<22} {show(100 * accuracy, 1):>6} % right after {epochs} pass(es)", flush=True)
    return 0


def _speed(given):
    from pencil.experiments.contest import speed
    from pencil.rounding import show

    found = speed.measure(given.seed, given.threads, given.device)
    print(f"milliseconds for one step of {found['texts']} texts; {found['chip']}")
    print("{:<12}".format("words"), *(f"{length:>9}" for length in found["lengths"]))
    for name, row in found["milliseconds"].items():
        print(f"{name:<12}", *(f"{show(each, 1):>9}" for each in row))
    return 0
