"""The experiments with the tiny GPT: train one, sample from it, and inspect a decoder."""

import math
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from pencil.cli.arguments import above, integer, refuse_unwritable, typed_path, up_to_one
from pencil.errors import TaskError

SIZES = {"d_model": "width", "n_heads": "heads of each attention", "n_layers": "blocks", "max_len": "positions"}  # fields of Config: help texts
TRAINING = {"epochs": integer(1), "batch_size": integer(1), "lr": above(0)}  # fields of TrainingConfig: types
COLDEST = 1e-100  # scores that are divided by less may be infinite
MOST_TOKENS = 1_000_000  # half an hour; what is written is printed at its end
EXPERIMENTS = {
    "tiny-gpt": "a small writer, trained on a text",
    "write": "let a trained writer write",
    "open": "what GPT-2, a Llama or the book's own writer does inside at a text",
}


def add(tiny_gpt, write, opened):
    """Add the options of the three experiments to their parsers."""
    tiny_gpt.add_argument("--data", choices=["embedded", "full"], default="embedded", help="the book's own reviews, or tiny Shakespeare")
    tiny_gpt.add_argument("--text", type=typed_path, help="a text of your own in UTF-8, in place of --data")
    tiny_gpt.add_argument("--checkpoint", type=typed_path, default="tiny_gpt.safetensors", help="the file that the writer is kept in")
    tiny_gpt.add_argument("--folder", type=typed_path, help="keep the state of the run there, and resume from what is there")
    tiny_gpt.add_argument("--merges", type=integer(0), default=0, help="byte pairs to merge; 0 writes letter by letter")
    for name, of_type in TRAINING.items():
        tiny_gpt.add_argument(_option(name), type=of_type)
    for name, says in SIZES.items():
        tiny_gpt.add_argument(_option(name), type=integer(1), help=says)
    write.add_argument("--prompt", default="\n", help="what it goes on from")
    write.add_argument("--checkpoint", type=typed_path, default="tiny_gpt.safetensors")
    write.add_argument("--count", type=integer(1, MOST_TOKENS), default=300, help="tokens to write: 300")
    write.add_argument("--temperature", type=float, default=0.8, help="below 1 it keeps to what is likely: 0.8")
    write.add_argument("--top-k", type=integer(1), help="sample among so many of the likeliest")
    write.add_argument("--top-p", type=up_to_one, help="sample among the likeliest that have this probability together")
    write.add_argument("--seed", type=integer(0, 2**32 - 1), default=0, help="of the samples")
    opened.add_argument(
        "--checkpoint",
        type=typed_path,
        default="gpt2",
        help="gpt2 as `data fetch gpt2` brings it, `writer`, a file of tiny-gpt, or a folder: gpt2",
    )
    opened.add_argument("--prompt", default="The queen sat on the throne and she wore h", help="the text that it is opened at")
    for experiment in (write, opened):
        experiment.set_defaults(threads=1, device="cpu", record=False)


def _option(field):
    return "--" + field.replace("_", "-")


def train(given):
    """Train, compare the loss with that of n-grams, and save the model."""
    from pencil.data.text import load, read_text
    from pencil.experiments.training.distributed import process_group
    from pencil.experiments.writer import tiny_gpt
    from pencil.rounding import show

    text, plan = read_text(given.text) if given.text else load(given.data), _plan(given, tiny_gpt.PLANS[given.data])
    with process_group(given.device) as group:
        group.from_first(lambda: refuse_unwritable(given.checkpoint, "name another file with --checkpoint"))  # before training, not after it
        writer, trained = tiny_gpt.train_writer(text, plan, given.folder, group)
        if group.rank == 0:
            for order, name in ((2, "two (bigrams)"), (3, "three (trigrams)")):
                print(f"counted in runs of {name}: {show(tiny_gpt.ngram_loss(text, order, plan.merges))} a token on the test set")
            print("tiny GPT, pass by pass:", *map(show, trained.column("val_loss")))
            _keep(writer, given.checkpoint)
            print(f'wrote {given.checkpoint}; now: python -m pencil experiment write --checkpoint {given.checkpoint} --prompt "{text.split()[0]} "')
    return 0


def _keep(writer, file):
    """Save a trained writer; where the disk has become full meanwhile, in the folder for temporary files, and raise TaskError with its place."""
    from pencil.experiments.writer import tiny_gpt

    try:
        tiny_gpt.save(file, writer)
    except OSError as wrong:
        other = Path(mkdtemp(prefix="pencil-")) / file.name
        tiny_gpt.save(other, writer)
        raise TaskError(f"{file} could not be written ({wrong.strerror}); the writer is kept in {other}: move it to where there is room") from None


def _plan(given, plan):
    training, sizes = ({name: getattr(given, name) for name in names if getattr(given, name) is not None} for names in (TRAINING, SIZES))
    return replace(
        plan,
        training=replace(plan.training, seed=given.seed, device=given.device, **training),
        sizes=replace(plan.sizes, **sizes),
        merges=given.merges,
    )


def write(given):
    """Print a trained model's continuation of the prompt."""
    from pencil.experiments.writer import tiny_gpt

    if not COLDEST <= given.temperature < math.inf:
        raise ValueError(
            f"--temperature {given.temperature}; give it a number above 0, such as 0.8, or take the likeliest token each time: --top-k 1"
        )
    writer = tiny_gpt.load_writer(given.checkpoint)
    print(tiny_gpt.write(writer, given.prompt, given.count, given.temperature, given.top_k, given.top_p, given.seed))
    return 0


def open_model(given):
    """Print what a decoder computes on the prompt: attention patterns, logit lens, head ablations."""
    from pencil.experiments.pretrained import checkpoint
    from pencil.experiments.pretrained.opened import Opened, report

    if given.checkpoint == Path("writer"):
        from pencil.experiments.exported import CONFIG
        from pencil.experiments.writer import page_writer

        page = page_writer.read()
        ids, params, config, pieces = page.ids(given.prompt)[-page.positions :], page.params, CONFIG, page.vocabulary
    elif given.checkpoint.is_file():  # as `experiment tiny-gpt` writes it
        from pencil.experiments.writer import writer_file

        params, config, tokenizer = writer_file.read_params(given.checkpoint)
        ids, pieces = tokenizer.encode(given.prompt)[-len(params.positions) :], tokenizer.pieces
    else:
        found = checkpoint.read(_folder(given.checkpoint))
        if found.layout.encoder:
            raise ValueError(f"{given.checkpoint} is an encoder, which predicts no next token; open a decoder, such as GPT-2")
        tokenizer = found.tokenizer()
        ids, params, config = tokenizer.encode(given.prompt, add_special_tokens=True), found.params(), found.config
        pieces = [tokenizer.decode([i]) for i in range(len(tokenizer.pieces))]
    if not len(ids):
        raise ValueError("the prompt is empty: there is nothing to look at; give it a text")
    print(*report(Opened(ids, params, config, len(pieces)), pieces), sep="\n")
    return 0


def _folder(path):  # a folder, or "gpt2" for the downloaded checkpoint
    from pencil.data.downloads import find

    return find("gpt2", "gpt2/config.json").parent if path == Path("gpt2") and not path.is_dir() else path


RUN = {"tiny-gpt": train, "write": write, "open": open_model}
