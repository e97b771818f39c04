"""The workflows run what was looked at: actions by commit, least permissions, no credentials kept, no second index for every package."""

import re

import pytest
import yaml

from pencil.paths import ROOT

FILES = sorted(ROOT.glob(".github/workflows/*.yml"))
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FILES}
FLOWS = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = {f"{name}: {job}": made for name, flow in FLOWS.items() for job, made in flow["jobs"].items()}
WRITES = {"book.yml: publish": {"pages", "id-token"}, "release.yml: release": {"contents"}}  # neither checks out or builds anything


@pytest.mark.parametrize("name", TEXTS)
def test_an_action_is_named_by_its_commit_and_its_version(name):
    used = re.findall(r"uses: (.+)", TEXTS[name])
    assert used and all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in used)


def test_an_action_is_the_same_in_every_workflow():
    used = {line for text in TEXTS.values() for line in re.findall(r"uses: (.+)", text)}
    assert len({line.partition("@")[0] for line in used}) == len(used)


@pytest.mark.parametrize("name", JOBS)
def test_a_job_has_the_permissions_that_it_needs(name):
    job = JOBS[name]
    assert FLOWS[name.partition(":")[0]]["permissions"] == {}
    assert {key for key, value in job["permissions"].items() if value == "write"} == WRITES.get(name, set())
    checkouts = [step for step in job["steps"] if "actions/checkout" in step.get("uses", "")]
    assert bool(checkouts) == (name not in WRITES)
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@pytest.mark.parametrize("name", TEXTS)
def test_a_second_index_gives_torch_alone(name):
    installs = re.findall(r"pip install .*", TEXTS[name])
    assert "--extra-index-url" not in TEXTS[name] and all(re.search(r"--no-deps .* torch$", line) for line in installs if "--index-url" in line)
    assert all("uv==" in line for line in installs if re.search(r"\buv\b", line) and not line.startswith("pip install --system"))


def test_uv_is_the_one_that_made_the_pins():
    (used,) = set(re.findall(r"pip install uv==(\S+)", "".join(TEXTS.values())))
    assert f"uv {used} " in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
