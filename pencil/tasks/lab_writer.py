"""The labs of the tiny GPT: train one on a text, and let it write."""

from dataclasses import replace
from pathlib import Path

SIZES = {"width": "d_model", "heads": "n_heads", "blocks": "n_blocks", "seats": "max_len"}  # word of the command: field of Config
LABS = {"tiny-gpt": "a small writer, trained on a text", "write": "let a trained writer write"}


def add(teach, write):
    """Their words of the command line, for the parsers of the two."""
    teach.add_argument("--data", choices=["embedded", "full"], default="embedded", help="the book's own reviews, or tiny Shakespeare")
    teach.add_argument("--checkpoint", default="tiny_gpt.safetensors", help="the file that the writer is kept in")
    teach.add_argument("--folder", help="keep the state of the run there, and go on from what is there")
    teach.add_argument("--merges", type=int, default=0, help="byte pairs to join; 0 writes letter by letter")
    for name in ("passes", "batch", *SIZES):
        teach.add_argument(f"--{name}", type=int)
    teach.add_argument("--rate", type=float)
    write.add_argument("--prompt", default="\n", help="what it goes on from")
    write.add_argument("--checkpoint", default="tiny_gpt.safetensors")
    write.add_argument("--count", type=int, default=300, help="tokens to write: 300")
    write.add_argument("--temperature", type=float, default=0.8, help="below 1 it keeps to what is likely: 0.8")
    write.add_argument("--top-k", type=int, help="draw among so many of the likeliest")
    write.add_argument("--top-p", type=float, help="draw among the likeliest that have this share together")
    write.add_argument("--seed", type=int, default=0, help="of the draw")
    write.set_defaults(threads=1, device="cpu", record=False)


def teach(given):
    """Train, say how the loss falls beside that of counting, and keep the writer."""
    from pencil.data.text import load
    from pencil.labs import tiny_gpt
    from pencil.labs.team import joined
    from pencil.rounding import show

    text, plan = load(given.data), _plan(given, tiny_gpt.PLANS[given.data])
    Path(given.checkpoint).resolve().parent.mkdir(parents=True, exist_ok=True)  # now, and not when all is learned
    with joined(given.device) as team:
        writer, trained = tiny_gpt.teach(text, plan, given.folder, team)
        if team.rank == 0:
            for order, says in ((2, "two (bigrams)"), (3, "three (trigrams)")):
                print(f"counted in runs of {says}: {show(tiny_gpt.counted_loss(text, order, plan.merges))} a token on the sealed end")
            print("tiny GPT, pass by pass:", *map(show, trained.column("exam_loss")))
            tiny_gpt.save(given.checkpoint, writer)
            print(f'wrote {given.checkpoint}; now: python -m pencil lab write --checkpoint {given.checkpoint} --prompt "The "')
    return 0


def _plan(given, plan):
    told = {name: getattr(given, name) for name in ("passes", "batch", "rate") if getattr(given, name) is not None}
    sizes = {field: getattr(given, name) for name, field in SIZES.items() if getattr(given, name) is not None}
    config = {name: getattr(plan.sizes, name) for name in SIZES.values()} | sizes  # made anew, so that the other sizes follow
    return replace(
        plan, training=replace(plan.training, seed=given.seed, device=given.device, **told), sizes=type(plan.sizes)(**config), merges=given.merges
    )


def write(given):
    """Print what a trained writer makes of the prompt."""
    from pencil.labs import tiny_gpt

    if not given.temperature > 0:
        raise ValueError(f"--temperature {given.temperature}; give it a number above 0, or take the likeliest token each time: --top-k 1")
    writer = tiny_gpt.opened(given.checkpoint)
    print(tiny_gpt.write(writer, given.prompt, given.count, given.temperature, given.top_k, given.top_p, given.seed))
    return 0
