"""Latency of the page's engine in Node: an edit of one input of the block's program, both tracks.

Each edit changes one number and runs the whole program again. Edits are timed one by one, to show the slow ones as well. Run it with
`make bench`.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from parts.recorded import record_block

from pencil.cli import node
from pencil.errors import TaskError
from pencil.rounding import show

ENGINE = Path(__file__).resolve().parents[1] / "pencil/web/engine/program.js"
EDITS = 20000

TIMED = """
import {{ load }} from {engine}
const program = {program}
const start = performance.now()
const sheet = load(program)
const loaded = performance.now() - start
const givens = program.steps.filter((step) => step.op === "given").map(({{ name, value }}) => [name, Float64Array.from(value, Number)])
const spent = []
for (let n = 0; n < {warm} + {edits}; n++) {{
  const given = Object.fromEntries(givens)
  const [name, numbers] = givens[n % givens.length]
  given[name] = numbers.slice()
  given[name][n % numbers.length] += ((n % 7) - 3) / 10
  const before = performance.now()
  try {{ sheet.run(given) }} catch {{ continue }} // an edit that is refused is no edit
  if (n >= {warm}) spent.push(performance.now() - before)
}}
spent.sort((a, b) => a - b)
const at = (share) => spent[Math.floor(share * (spent.length - 1))]
console.log(JSON.stringify({{ loaded, edits: spent.length, median: at(0.5), slow: at(0.95), slowest: at(1), node: process.version }}))
"""


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=EDITS)
    edits = parser.parse_args(argv).edits
    try:
        runner = node.find()
    except TaskError as absent:
        raise SystemExit(f"engine: not measured. {absent}") from None
    program = record_block().program()
    code = TIMED.format(engine=json.dumps(ENGINE.as_uri()), program=json.dumps(program), warm=edits // 10, edits=edits)
    done = subprocess.run([runner, "--input-type=module", "-"], input=code, capture_output=True, encoding="utf-8", check=True)
    took = json.loads(done.stdout)
    print(f"one edit of the block, {len(program['steps'])} steps, both tracks; Node {took['node']}, {took['edits']} edits")
    for what, key in (("median", "median"), ("95th percentile", "slow"), ("slowest", "slowest"), ("first load, before anything is warm", "loaded")):
        print(f"{what:<42}{show(took[key]):>12} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
