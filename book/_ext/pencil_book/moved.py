"""Keep the old anchors of renamed sections working; book/moved.yml lists them."""

from pathlib import Path

import yaml
from docutils import nodes
from sphinx.util import logging

LIST = Path(__file__).parents[2] / "moved.yml"


def lead_on(app, doctree, docname):
    """Add the old anchor to each renamed section. A section that does not exist is a warning, which fails the build."""
    sections = {name: section for section in doctree.findall(nodes.section) for name in section["ids"]}
    for old, new in yaml.safe_load(LIST.read_text(encoding="utf-8")).get(docname, {}).items():
        if new in sections and old not in sections:
            sections[new]["ids"].append(old)
        else:
            why = f"{old} is a section again" if old in sections else f"there is no section {new}"
            logging.getLogger(__name__).warning("%s: %s in book/moved.yml", docname, why)


def accept(app, env):
    """Let links of the book itself go to an old address, as those of readers do."""
    for docname, moved in yaml.safe_load(LIST.read_text(encoding="utf-8")).items():
        slugs = env.metadata.get(docname, {}).get("myst_slugs", {})
        sections = {name: (line, name, title) for line, name, title in slugs.values()}
        slugs |= {old: sections[new] for old, new in moved.items() if new in sections and old not in slugs}
