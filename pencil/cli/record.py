"""Measure what the pages quote, and write it with its provenance to pencil/experiments/recorded: NAME.json, or NAME_DEVICE.json of a GPU."""

import importlib
import inspect
import shlex

from pencil.cli.arguments import MOST_THREADS, integer, refuse_unwritable, typed_path
from pencil.errors import Parser, TaskError, did_you_mean
from pencil.experiments import records

RECORDINGS = {  # name: (module:function, data sets or files of them, description)
    "slides_heads": (
        "pencil.experiments.facts.slides_heads:measure",
        ("glove",),
        "the slides' rows and heat maps on GloVe; their seed: --seed 42",
    ),
    "word_pieces": ("pencil.experiments.facts.word_pieces:measure", ("tiktoken",), "how the tokenizers of GPT-4 and GPT-4o split words (chapter 01)"),
    "glove_facts": (
        "pencil.experiments.facts.glove_facts:measure",
        ("glove",),
        "neighbours, opposites and word sums of GloVe's vectors (chapter 02)",
    ),
    "trained_rnn": ("pencil.experiments.facts.trained_rnn:measure", (), "an RNN of two numbers, trained (chapter 03); --seed 1, as its page has it"),
    "width_sweep": (
        "pencil.experiments.facts.width_sweep:measure",
        ("imdb",),
        "reviews judged by averaged vectors, from 8 to 300 wide (chapter 02)",
    ),
    "imdb_facts": ("pencil.experiments.facts.imdb_facts:measure", ("imdb",), "words, lengths and unknowns of the film reviews (chapter 01)"),
    "contest": ("pencil.experiments.contest.recording:measure", ("imdb",), "the models of chapter 08 and its baselines; hours, job by job"),
    "hyperparameter_search": (
        "pencil.experiments.contest.hyperparameter_search:measure",
        ("imdb",),
        "the search for the best setting, and its test (chapter 08); an hour",
    ),
    "whole_block": (
        "pencil.experiments.contest.whole_block:measure",
        ("imdb",),
        "the Transformer with positions and a whole block, on validation (chapter 08); half an hour",
    ),
    "exam": (
        "pencil.experiments.contest.exam:measure",
        ("imdb",),
        "each final model on the test set, once, and each two of them review by review (chapter 08); twenty minutes",
    ),
    "pretraining": (
        "pencil.experiments.contest.pretraining:measure",
        ("imdb",),
        "a block that first fills blanks in reviews, then learns their labels (chapter 08); half an hour",
    ),
    "minilm": (
        "pencil.experiments.pretrained.recording:measure",
        (),
        "a real encoder opened: its heads, one of them by pencil, two banks, heads taken out (chapter 22); its package is needed; two minutes",
    ),
    "minilm_reviews": (
        "pencil.experiments.pretrained.reviews:measure",
        ("imdb",),
        "film reviews judged from MiniLM's vectors, with 1,000 labels (chapter 14c); its package is needed; five minutes",
    ),
    "writing_contest": (
        "pencil.experiments.contest.writing:measure",
        ("shakespeare",),
        "who guesses the next letter: walkers, a Transformer and counts, in equal time (chapter 08); half an hour",
    ),
    "forget_bias": ("pencil.experiments.contest.forget_bias:measure", (), "how far a new LSTM fades, by the forget gate's first bias (chapter 08)"),
    "long_range": ("pencil.experiments.contest.long_range:measure", (), "whether a model learns what stands k words away (chapter 08)"),
    "digits_vit": ("pencil.experiments.vision.recording:digits", (), "the vision transformer and its rivals on scikit-learn's digits (chapter 15)"),
    "mnist_vit": (
        "pencil.experiments.vision.recording:mnist",
        ("mnist t10k-images-idx3-ubyte.gz", "mnist t10k-labels-idx1-ubyte.gz"),
        "the same on MNIST's 10,000 test pictures, 8,000 to learn from (chapter 15)",
    ),
    "mnist_full": (
        "pencil.experiments.vision.recording:mnist_full",
        ("mnist",),
        "the same on all of MNIST, 60,000 to learn from, comparable to what others report (chapter 15); ten minutes",
    ),
    "speed": ("pencil.experiments.contest.speed:measure", (), "the time of a step against the length of the text (chapter 08)"),
    "tiny_gpt": ("pencil.experiments.writer.recording:measure", ("shakespeare",), "a small GPT on tiny Shakespeare beside counting (chapter 14)"),
    "writer": (
        "pencil.experiments.writer.page_writer:measure",
        (),
        "the writer of the page, examined again from its bytes, or another --checkpoint of `record writer_samples` (chapter 14)",
    ),
    "writer_samples": ("pencil.experiments.writer.samples:measure", (), "what a tiny GPT writes before, during and after training (chapter 14)"),
    "writer_ladder": (
        "pencil.experiments.writer.ladder:measure",
        ("imdb", "shakespeare"),
        "writers of growing size on film reviews, and a long run on Shakespeare (chapter 14c); half an hour, job by job",
    ),
    "wishes": (
        "pencil.experiments.alignment.recording:measure",
        (),
        "a tiny writer aligned with a preference by SFT, DPO and GRPO (chapter 14b); ten minutes",
    ),
    "chat": (
        "pencil.experiments.alignment.chat:measure",
        (),
        "a tiny writer learns to answer questions about an invented film (chapter 14b); a minute",
    ),
    "longer_texts": (
        "pencil.experiments.writer.longer_texts:measure",
        ("shakespeare",),
        "texts longer than those of training, for each way to encode positions (chapter 11); ten minutes",
    ),
    "longer_rotary": (
        "pencil.experiments.writer.longer_texts:measure_rotary",
        ("shakespeare",),
        "the same for rotary with a larger base, with a block without positions, and with YaRN (chapter 11); seven minutes, job by job",
    ),
    "modern_blocks": (
        "pencil.experiments.writer.modern_blocks:measure",
        ("shakespeare",),
        "SwiGLU against GELU, and heads that share, in a tiny GPT of Llama's blocks (chapter 16); four minutes",
    ),
    "modern_caches": (
        "pencil.experiments.writer.modern_blocks:measure_caches",
        ("shakespeare",),
        "the same writer with latents of three widths, and with a window (chapter 17); four minutes",
    ),
    "experts": (
        "pencil.experiments.writer.experts:measure",
        ("shakespeare",),
        "eight experts with two at work beside a plain network, in a tiny GPT: loss, time, idle experts (chapter 19); ten minutes",
    ),
    "fewer_bits": (
        "pencil.experiments.writer.fewer_bits:measure",
        ("shakespeare", "names"),
        "a writer in fewer bits, and adapted to first names (chapter 20); eight minutes",
    ),
    "drafts": (
        "pencil.experiments.writer.drafts:measure",
        (),
        "a count of runs and a small writer draft for the page's writer: letters accepted, a round, a second (chapter 21); half a minute",
    ),
    "needles": (
        "pencil.experiments.writer.needles:measure",
        (),
        "what sparse attention would miss in the page's writer, with a trained indexer (chapter 17c); a few minutes",
    ),
    "recall": (
        "pencil.experiments.writer.recall:measure",
        (),
        "which values of n keys a state, the delta rule, attention and a hybrid recall (chapter 17b); five minutes",
    ),
    "who_uses_what": (
        "pencil.experiments.facts.who_uses_what:measure",
        (),
        "which mechanisms today's machines have, from transformers' configuration classes (chapter 16); a second",
    ),
    "norms_speed": ("pencil.experiments.facts.norms_speed:measure", (), "the time of LayerNorm and of RMSNorm (chapter 16); a minute"),
    "int8_speed": ("pencil.experiments.facts.int8_speed:measure", (), "the time and size of a layer in int8 (chapter 20); a minute"),
    "cache_speed": (
        "pencil.experiments.facts.cache_speed:measure",
        (),
        "the time of one more word, with a cache and without (chapter 17); two minutes",
    ),
    "flash_memory": (
        "pencil.experiments.facts.flash_memory:measure",
        (),
        "the time and memory of attention with its square of scores and without (chapter 18); five minutes, 8 GB of memory",
    ),
    "flash_kernel": (
        "pencil.experiments.facts.flash_memory:measure_gpu",
        (),
        "the same on a GPU, with the book's kernel: --device cuda (chapter 18)",
    ),
    "page_digits": ("pencil.experiments.vision.page_digits:measure", (), "the reader of digits of the page, in bytes (chapter 15)"),
    "worksheets": (
        "pencil.experiments.facts.worksheets:measure",
        (),
        "how worksheets tell mistakes apart, hundreds of each topic (chapter 09); minutes",
    ),
}


def main(argv):
    """`python -m pencil record NAME [--seed 0] [--threads 1] [--done]`; without a name it lists the records."""
    given = _parse(argv)
    if given.name is None:
        if argv:
            raise TaskError(f"{shlex.join(argv)} would be dropped: name a recording in front of it; `python -m pencil record` lists what there is")
        for name, (_, sets, says) in RECORDINGS.items():
            print(f"  {name:<20} {says}" + (f" (reads {', '.join(sets)})" if sets else ""))
        return 0
    if given.name not in RECORDINGS:
        raise TaskError(
            f"there is no recording {given.name!r}; take one of {', '.join(RECORDINGS) or 'none yet'}.{did_you_mean(given.name, RECORDINGS)}"
        )
    place, sets, _ = RECORDINGS[given.name]
    module, function = place.split(":")
    measure = getattr(importlib.import_module(module), function)
    taken = _taken(given, inspect.signature(measure).parameters)
    command = "python -m pencil record " + shlex.join(word for word in argv if word != "--done")  # for the provenance
    data, code = _hashes(sets), records.code()
    if code["changed_since"]:
        print("programs differ from the last commit, and the record can name no other: commit first, or measure in a clean clone")
    file = records.RECORDED / (f"{given.name}.json" if given.device == "cpu" else f"{given.name}_{given.device}.json")
    refuse_unwritable(file, "give yourself leave to write there")  # before measuring, not after it
    try:
        result = measure(**taken)
    except ValueError as wrong:  # the message says what to do
        raise TaskError(str(wrong)) from None
    if given.device == "cpu":
        where = records.cpu(given.threads)
    else:
        from pencil.experiments.training.device import describe

        where = describe(given.device)
    records.write(file, result, records.provenance(command, given.seed, where, data) | code)
    print(f"wrote {file}")
    return 0


def _parse(argv):
    parser = Parser(prog="python -m pencil record", description=__doc__)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--seed", type=integer(0, 2**32 - 1), default=0)
    parser.add_argument("--threads", type=integer(1, MOST_THREADS), default=1, help="CPU threads: 1")
    parser.add_argument("--done", action="store_true", help="of a long recording: write what is done so far, and do nothing more")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda where the recording takes it")
    parser.add_argument("--checkpoint", type=typed_path, help="of a writer: the file that it is kept in")
    return parser.parse_args(argv)


def _taken(given, takes):  # parsed arguments, names of the function's parameters -> {name: value}; TaskError for an unsupported option
    known = {"seed": given.seed, "threads": given.threads, "only_done": given.done}
    if given.checkpoint:
        known["checkpoint"] = given.checkpoint
    if given.device != "cpu":
        if "device" not in takes:
            raise TaskError(f"{given.name} is measured on a CPU: type `python -m pencil record {given.name}`")
        known["device"] = _known_device(given.device)
    if given.done and "only_done" not in takes:
        raise TaskError(f"{given.name} is measured in one go: type `python -m pencil record {given.name}`")
    if given.checkpoint and "checkpoint" not in takes:
        raise TaskError(f"{given.name} keeps no writer: type `python -m pencil record {given.name}`")
    if given.checkpoint:
        refuse_unwritable(given.checkpoint, "name another file with --checkpoint")
    return {name: value for name, value in known.items() if name in takes}


def _known_device(name):
    from pencil.experiments.training.device import device_of  # imports torch, which is slow

    try:
        return device_of(name).type
    except ValueError as wrong:
        raise TaskError(str(wrong)) from None


def _hashes(sets):  # names of sets, or "SET FILE" -> {name: sha256}
    from pencil.data.downloads import sha256_of

    return {name: sha256_of(*name.split()) for name in sets}
