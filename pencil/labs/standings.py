"""What a record of the contest says, setting by setting: for the pages, which quote it and measure nothing."""

SETTING = ("slots", "keep", "masked")


def settings(record):  # -> the settings in which something ran, in the record's order
    """Each as (slots, keep, masked)."""
    return list(dict.fromkeys(tuple(run[name] for name in SETTING) for run in record["runs"]))


def runs(record, machine, slots=100, keep="first", masked=True):  # -> list, one a seed
    """The runs of a machine in a setting."""
    wanted = dict(zip(SETTING, (slots, keep, masked), strict=True), machine=machine)
    return [run for run in record["runs"] if all(run[name] == value for name, value in wanted.items())]


def spread(numbers):  # -> (mean, lowest, highest), or None where there is none
    """What several seeds gave."""
    return (sum(numbers) / len(numbers), min(numbers), max(numbers)) if numbers else None


def table(record, what, machines, *setting):  # -> {machine: (mean, lowest, highest)} of the machines that ran
    """One mark of every machine in a setting: `last`, `best`, `short` or `cpu_seconds`."""
    found = {name: spread([run[what] for run in runs(record, name, *setting)]) for name in machines}
    return {name: each for name, each in found.items() if each}


def baselines(record, slots=100, keep="first", pairs=False):  # -> {name: marks}, empty where none was measured
    """What the counters of words reached in a setting."""
    for found in record["baselines"]:
        if (found["slots"], found["keep"], found["pairs"]) == (slots, keep, pairs):
            return found["marks"]
    return {}
