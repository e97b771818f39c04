"""Parse Markdown with the same parser that builds the pages, MyST's markdown-it.

Block tokens have line numbers, but inline tokens have no columns, so each inline rule is wrapped to record where it matched.
"""

from functools import cache, partial

from markdown_it.helpers import parseLinkDestination
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline, link_pairs
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

EXTENSIONS = {"attrs_inline", "colon_fence", "deflist", "dollarmath"}  # as in _config.yml
LINKS = {"link": 0, "image": 1}  # characters before the bracket of the label


def block_tokens(text, env):  # str, dict -> list of markdown_it.token.Token
    """The block tokens of a text, without inline parsing; `env` collects the definitions of links and footnotes."""
    return _parser().parse(text, env)


def defined(env):  # dict -> (labels of links, labels of footnotes)
    """The definitions so far, as `inline_matches` takes them."""
    return tuple(env.get("references", ())), tuple(env.get("footnotes", {}).get("refs", ()))


def inline_matches(text, labels=((), ())):  # str, (labels of links, labels of footnotes) -> list of Match
    """The matches of inline rules, in the order of their ends. Characters outside of all matches are shown verbatim."""
    links, notes = labels
    env = {"references": {label: {"href": "", "title": ""} for label in links}, "footnotes": {"refs": dict.fromkeys(notes, -1), "list": {}}}
    state = _Located(text, _parser(), env, [])
    state.md.inline.tokenize(state)
    link_pairs(state)  # decides which * and _ are emphasis
    return state.matches + state.emphasis()


def destination(text, start, end):  # -> int, or None
    """The end of the link destination that begins at `start`."""
    found = parseLinkDestination(text, start, end)
    return found.pos if found.ok else None


class Match:
    """The span of text that one rule consumed. `label` is the span of a link's text or of an image's alt text."""

    def __init__(self, rule, start, end, token=None, label=None):
        self.rule, self.start, self.end, self.token, self.label = rule, start, end, token, label


class _Located(StateInline):
    """The state of one inline parse that records the matches. Nested parses, such as of alt text, have a plain state."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.matches, self.signs = [], {}  # signs: {token index of a * or _: its offset}

    def keep(self, rule, start, known):
        """Record that a rule matched from `start` to the current position; there were `known` tokens before."""
        token = self.tokens[-1] if len(self.tokens) > known else None
        if rule == "emphasis":
            first = len(self.tokens) - (self.pos - start)
            self.signs |= {first + at: start + at for at in range(self.pos - start)}
            return
        label = None
        if rule in LINKS:
            bracket = start + LINKS[rule]
            label = (bracket + 1, self.md.helpers.parseLinkLabel(self, bracket, rule == "link"))
        self.matches.append(Match(rule, start, self.pos, token, label))

    def emphasis(self):
        """The matches of all * and _ that are markup."""
        lists = [self.delimiters, *(meta["delimiters"] for meta in self.tokens_meta if meta)]
        paired = [d for some in lists for opening in some if opening.end != -1 for d in (opening, some[opening.end])]
        return [Match("emphasis", self.signs[d.token], self.signs[d.token] + 1) for d in paired]


def _locating(name, rule, state, silent):
    start, known = state.pos, len(state.tokens)
    matched = rule(state, silent)
    if matched and not silent and isinstance(state, _Located):
        state.keep(name, start, known)
    return matched


@cache
def _parser():
    parser = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)
    rules = parser.inline.ruler
    for name, rule in zip(rules.get_active_rules(), rules.getRules(""), strict=True):
        rules.at(name, partial(_locating, name, rule))
    return parser.disable(["inline", "text_join", "wordcount"])  # inline parsing is done by `inline_matches`
