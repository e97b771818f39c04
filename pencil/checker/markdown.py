"""The Markdown of the pages, read by the parser that also builds them: MyST's own markdown-it.

Its block rules say which lines are a paragraph, a heading, code or nothing that is shown; its inline rules say what a stretch of a
paragraph is. markdown-it keeps the lines of a block but not the columns of an inline token, so each inline rule is wrapped here to
keep the place where it matched.
"""

from functools import cache, partial

from markdown_it.helpers import parseLinkDestination
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline, link_pairs
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

EXTENSIONS = {"attrs_inline", "colon_fence", "deflist", "dollarmath"}  # as in _config.yml
LINKS = {"link": 0, "image": 1}  # how many signs stand before the bracket of the label


def block_tokens(text, env):  # str, dict -> list of markdown_it.token.Token
    """The block tokens of a text, inline content unread; `env` collects the definitions of links and footnotes."""
    return _parser().parse(text, env)


def defined(env):  # dict -> (labels of links, labels of footnotes)
    """What has been defined so far, as `inline_matches` takes it."""
    return tuple(env.get("references", ())), tuple(env.get("footnotes", {}).get("refs", ()))


def inline_matches(text, labels=((), ())):  # str, (labels of links, labels of footnotes) -> list of Match
    """Which inline rule matched where, in the order in which they end; every sign outside of all matches is shown as it is."""
    links, notes = labels
    env = {"references": {label: {"href": "", "title": ""} for label in links}, "footnotes": {"refs": dict.fromkeys(notes, -1), "list": {}}}
    state = _Located(text, _parser(), env, [])
    state.md.inline.tokenize(state)
    link_pairs(state)  # finds which * and _ are emphasis
    return state.matches + state.emphasis()


def destination(text, start, end):  # -> int, or None
    """Where the destination of a link that begins at `start` ends."""
    found = parseLinkDestination(text, start, end)
    return found.pos if found.ok else None


class Match:
    """A stretch of text that one rule consumed. `label` is where the text of a link or the alt text of an image stands."""

    def __init__(self, rule, start, end, token=None, label=None):
        self.rule, self.start, self.end, self.token, self.label = rule, start, end, token, label


class _Located(StateInline):
    """The state of one inline parse, with the places of the matches. What markdown-it parses apart, such as alt text, has a plain state."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.matches, self.signs = [], {}  # signs: the index of the token of each * and _ -> where it stands

    def keep(self, rule, start, known):
        """A rule matched from `start` to where the state is now; `known` tokens were there before."""
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
        """Every * and _ that is markup."""
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
    return parser.disable(["inline", "text_join", "wordcount"])  # the inline text of a block is read when the block is judged
