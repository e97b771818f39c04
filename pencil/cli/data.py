"""List, download, verify and locate the real data sets."""

from pencil.data import downloads as store
from pencil.data.registry import SETS
from pencil.errors import Parser, TaskError


def main(argv):
    """`python -m pencil data list | fetch NAME | verify NAME | where`; alone it lists."""
    parser = Parser(prog="python -m pencil data", description=__doc__)
    what = parser.add_subparsers(dest="what")
    what.add_parser("list", help="the sets, their size and terms, and which are here")
    for verb, says in (("fetch", "bring a set from its home"), ("verify", "hold a set against its hash")):
        what.add_parser(verb, help=says).add_argument("name", nargs="?", help=", ".join(SETS))
    what.add_parser("where", help="the folders in which data is looked for")
    given = parser.parse_args(argv)
    if given.what in ("fetch", "verify") and given.name is None:
        raise TaskError(f"Name the set, as in `python -m pencil data {given.what} {next(iter(SETS))}`; there are {', '.join(SETS)}.")
    if given.what in ("fetch", "verify"):
        return {"fetch": _fetch, "verify": _verify}[given.what](given.name)
    return _where() if given.what == "where" else _list()


def _list():
    for name, one in SETS.items():
        print(f"{name:<12} {one.title}\n{'':<12} {one.bytes:,} bytes · {one.licence}\n{'':<12} {one.home}\n{'':<12} {_here(name)}")
    return 0


def _here(name):
    try:
        found = store.find(name)
    except store.DataError:
        return f"not here: python -m pencil data fetch {name}"
    return "here: " + ", ".join(map(str, found if isinstance(found, tuple) else (found,)))


def _where():
    for says, folder in store.where().items():
        print(f"{says:<18} {folder}" + ("" if folder.is_dir() else " (not there)"))
    return 0


def _fetch(name):
    one = store.known(name)
    print(f"{one.title}, {one.bytes:,} bytes. Terms: {one.licence}. To cite: {one.cite}.", flush=True)
    print(*store.fetch(name), sep="\n")
    return 0


def _verify(name):
    print(*(f"{path}: as it should be" for path in store.verify(name)), sep="\n")
    return 0
