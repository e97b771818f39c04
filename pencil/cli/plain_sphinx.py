"""Plain Sphinx in place of Jupyter Book: its settings, derived from _config.yml, and an environment of its own."""

import hashlib
import subprocess
import sys
from copy import deepcopy

from pencil.cli.env import runs, venv_python
from pencil.errors import TaskError
from pencil.paths import ROOT

VENV = ROOT / "_build/sphinx/venv"
PINS = "constraints-next.txt"
TOOL_S_OWN = {"jupyter_book", "sphinx_comments"}  # extensions that only Jupyter Book's own settings need

# A setting of _config.yml: the same in Sphinx, or in the theme's options.
NAMES = {
    "title": "html_title",
    "author": "author",
    "copyright": "copyright",
    "exclude_patterns": "exclude_patterns",
    "only_build_toc_files": "external_toc_exclude_missing",
    "execute.execute_notebooks": "nb_execution_mode",
    "parse.myst_enable_extensions": "myst_enable_extensions",
    "repository.url": "html_theme_options.repository_url",
    "repository.branch": "html_theme_options.repository_branch",
    "html.favicon": "html_favicon",
    "html.use_issues_button": "html_theme_options.use_issues_button",
    "html.use_repository_button": "html_theme_options.use_repository_button",
    "launch_buttons.notebook_interface": "html_theme_options.launch_buttons.notebook_interface",
    "launch_buttons.binderhub_url": "html_theme_options.launch_buttons.binderhub_url",
    "launch_buttons.colab_url": "html_theme_options.launch_buttons.colab_url",
}
# What Jupyter Book sets where _config.yml says nothing, and Sphinx or the theme would do otherwise.
USUAL = {
    "html_sourcelink_suffix": "",
    "html_theme": "sphinx_book_theme",
    "html_theme_options": {"home_page_in_toc": True},
    "numfig": True,
    "pygments_style": "sphinx",
}
NEVER_PAGES = ["_build", "Thumbs.db", ".DS_Store", "**.ipynb_checkpoints"]  # beside the exclude_patterns of _config.yml


def settings(book):  # the contents of _config.yml -> ({name: value}, folders of the extensions)
    """The settings of Sphinx. Raises KeyError for a setting of Jupyter Book that NAMES does not have, so that none is lost."""
    own = dict(book).pop("sphinx")
    made = deepcopy(USUAL)
    for name, value in _flat({group: value for group, value in book.items() if group != "sphinx"}):
        _merge(made, _nested(NAMES[name].split("."), value))
    _merge(made, deepcopy(own["config"]))
    made["exclude_patterns"] = sorted({*NEVER_PAGES, *made["exclude_patterns"]})
    made["extensions"] = [name for name in made["extensions"] if name not in TOOL_S_OWN]
    return made, list(own["local_extensions"].values())


def _flat(group, before=""):
    """Yield (name, value) for each setting: `html.favicon` for one inside a group."""
    for name, value in group.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        elif before + name in NAMES:
            yield before + name, value
        else:
            raise KeyError(f"_config.yml has {before}{name}: say in pencil/cli/plain_sphinx.py what Sphinx calls it")


def _nested(names, value):
    return value if not names else {names[0]: _nested(names[1:], value)}


def _merge(into, more):
    """Update a dict, and the dicts in it, as `recursive_update: true` of _config.yml asks for."""
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value


def python():  # -> Path of an interpreter
    """The Python of Sphinx's environment, which is made first where it is not there, its pins have changed or its Python has gone."""
    stamp, pinned = VENV / "stamp", hashlib.sha256((ROOT / PINS).read_bytes()).hexdigest()
    if not (stamp.exists() and stamp.read_text(encoding="utf-8") == pinned and runs(VENV)):
        print("Installing plain Sphinx into an environment of its own; this takes a minute or two.", flush=True)
        _run(sys.executable, "-m", "venv", "--clear", VENV)
        _run(venv_python(VENV), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--require-hashes", "-r", PINS)
        stamp.write_text(pinned, encoding="utf-8")
    return venv_python(VENV)


def _run(*command):
    done = subprocess.run(
        [str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        raise TaskError(f"Plain Sphinx could not be installed:\n{done.stdout.strip()}")
