"""The ES modules of this folder joined into one script: a page opened from a file takes no modules, and Jupyter takes only one."""

import re
from pathlib import Path
from string import ascii_letters

MODULES = Path(__file__).parent
KATA = MODULES.with_name("kata")  # whose dice the writer throws
IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "\.(?:/|\./\w+/)(?P<module>\w+)\.js"\n', re.M)
PASS_ON = re.compile(r'^export \* from "\./(?P<module>\w+)\.js"\n', re.M)
EXPORT = re.compile(r"^export (?P<kind>function|class|const) (?P<name>\w+)", re.M)
TOP = re.compile(r"^(?:async )?(?:function|class|const|let) .*", re.M)
DECLARED = re.compile(r"(?:^(?:async )?(?:function|class|const|let) |, (?=[A-Z_]+ = ))(\w+)")  # CONSTANTS may share a line
ANY_EXPORT = re.compile(r"^export .*", re.M)
BLANK = re.compile(r"\s+")
TEXT = re.compile(r"""//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""")
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/")
TEMPLATE = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*", re.S)
PRIVATE = re.compile(r"#[A-Za-z]\w*")
ONE_TAKEN = re.compile(r"\((?P<name>\w+)\)(?= =>)")  # what an arrow function takes
BEFORE_REGEX = (*"(,=:[!&|?{};", "return")  # after anything else a stroke divides
WORD = re.compile(r"[\w$#]")
GOES_ON = "{([,;=>?:&|"  # a statement goes on after a line that ends so,
WENT_ON = "})].?:&|"  # and before one that begins so


def page_script():  # -> str
    """One classic script for a built page, which starts it."""
    return classic_script("live", "window.pencil = live.start();", MODULES, KATA)


def classic_script(entry, start, *folders):  # -> str
    """One classic script of the modules of several folders, and the line that starts it."""
    return f'(() => {{\n"use strict";\n{_joined(entry, *folders)}{start}\n}})();\n'


def jupyter_module(folder=MODULES):  # -> str
    """One module for anywidget."""
    return f"{_joined('jupyter', folder)}export default {{ render: jupyter.render }};\n"


def _joined(entry, *folders):
    """The modules that an entry needs, in one scope, those first that others stand on.

    The entry is in a function of its own, and so is a module in which a name means something else than in one before it.
    """
    done, taken, parts = {}, set(), []
    _add(entry, folders, done)
    for module, (code, exported) in done.items():
        own = {name for line in TOP.findall(code) for name in DECLARED.findall(line)}
        if module == entry or own & taken:
            kept, own = ", ".join(exported), set() if module == entry else set(exported)
            code = f"const {module if module == entry else f'{{ {kept} }}'} = (() => {{\n{code}return {{ {kept} }};\n}})();\n"
        if twice := own & taken:
            raise ValueError(f"{module}.js: {min(twice)!r} is exported, and another module of {entry}.js has that name; rename one of them")
        taken |= own
        parts.append(tighten(code))
    return "".join(parts)


def tighten(code):  # str -> str
    """The same program without remarks, and without the blanks and brackets that only the eye needs; a line ends where a statement does.

    Names that no one outside a class can see (#name) become short.
    """
    out, at, open_braces, private = [], 0, [], {}  # open_braces: of each template that is open, the braces open in its ${}
    while at < len(code):
        sign = code[at]
        found = BLANK.match(code, at) or TEXT.match(code, at) or PRIVATE.match(code, at) or (_may_begin_regex(out) and REGEX.match(code, at))
        piece = found[0] if found else sign
        if piece.isspace():
            piece = _blank(piece, out, code[at + len(piece) : at + len(piece) + 1])
        elif piece.startswith("//"):
            piece = ""
        elif sign == "(" and (one := ONE_TAKEN.match(code, at)) and not WORD.match(out[-1][-1:] if out else ""):
            piece, found = one["name"], one
        elif piece.startswith("#"):
            piece = private.setdefault(piece, _short(len(private)))
        elif sign == "`" or (sign == "}" and open_braces and not open_braces[-1]):
            if sign == "}":
                open_braces.pop()
            piece += TEMPLATE.match(code, at + 1)[0]
            if code.startswith("${", at + len(piece)):
                piece += "${"
                open_braces.append(0)
            else:
                piece += "`"
            found = None
            at += len(piece) - 1
        elif sign in "{}" and open_braces:
            open_braces[-1] += 1 if sign == "{" else -1
        out += [piece] if piece else []
        at = found.end() if found else at + 1
    return "".join(out)


def _short(number):  # -> the private name of that number
    return "#" + ascii_letters[number % 52] + (str(number // 52) if number >= 52 else "")


def _may_begin_regex(out):
    return "".join(out[-6:]).rstrip().endswith(BEFORE_REGEX)


def _blank(piece, out, after):  # -> what has to stay of a blank
    before = out[-1][-1:] if out else ""
    if "\n" in piece:
        return "" if before in ("", "\n", *GOES_ON) or after in tuple(WENT_ON) else "\n"
    return " " if (WORD.match(before) and WORD.match(after)) or before == after in ("+", "-") else ""


def _add(module, folders, done):
    """Fill {module: (its code, the names it exports)}."""
    if module in done:
        return
    source = next(path for folder in folders if (path := folder / f"{module}.js").exists()).read_text(encoding="utf-8")
    for needed in [*IMPORT.finditer(source), *PASS_ON.finditer(source)]:
        _add(needed["module"], folders, done)
    code = EXPORT.sub(r"\g<kind> \g<name>", PASS_ON.sub("", IMPORT.sub(_renamed, source)))
    if other := ANY_EXPORT.search(code):
        raise ValueError(f"{module}.js: {other[0]!r} cannot be joined; write export function, export class or export const, one name a line")
    done[module] = code, [found["name"] for found in EXPORT.finditer(source)]


def _renamed(found):  # what is imported is there by its name; here are those that get another
    return "".join(f"const {there} = {name};\n" for name, there in re.findall(r"(\w+) as (\w+)", found["names"]))
