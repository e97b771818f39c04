"""Read a record of the contest, setting by setting."""

VALIDATION = {  # accuracies on the validation set; a record's `last`, `best` and `short` are on the test set
    "chosen": lambda run: max(run["accuracy"]),  # at the best epoch, which is chosen on the same set
    "end": lambda run: run["accuracy"][-1],  # after the last epoch
}
SETTING = ("max_len", "keep", "masked")  # keys of the record: the length of a row, which end is kept, whether padding is masked


def settings(record):  # -> list of (max_len, keep, masked)
    """The settings that have runs, in the record's order."""
    return list(dict.fromkeys(tuple(run[name] for name in SETTING) for run in record["runs"]))


def runs(record, model, max_len=100, keep="first", masked=True):  # -> list, one entry for each seed
    """The runs of a model in a setting."""
    wanted = dict(zip(SETTING, (max_len, keep, masked), strict=True), model=model)
    return [run for run in record["runs"] if all(run[name] == value for name, value in wanted.items())]


def spread(numbers):  # -> (mean, min, max), or None for an empty list
    """Summarize the results of several seeds."""
    return (sum(numbers) / len(numbers), min(numbers), max(numbers)) if numbers else None


def mark(run, metric):  # a run of a record, name -> number
    """A metric of a run: a key of VALIDATION, or of the run itself."""
    return VALIDATION[metric](run) if metric in VALIDATION else run[metric]


def table(record, metric, models, *setting):  # -> {model: (mean, min, max)}
    """A metric of each model that has runs in a setting."""
    found = {name: spread([mark(run, metric) for run in runs(record, name, *setting)]) for name in models}
    return {name: each for name, each in found.items() if each}


def baselines(record, max_len=100, keep="first", bigrams=False):  # -> {name: accuracies}
    """The baselines in a setting; empty if none was measured."""
    for found in record["baselines"]:
        if (found["max_len"], found["keep"], found["bigrams"]) == (max_len, keep, bigrams):
            return found["accuracies"]
    return {}
