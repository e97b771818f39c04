"""What a record of the contest says, setting by setting: for the pages, which quote it and measure nothing."""

VALIDATION = {  # metrics of the validation set; a record's `last`, `best` and `short` are of the test set
    "chosen": lambda run: max(run["accuracy"]),  # after the epoch that was chosen on that very set
    "end": lambda run: run["accuracy"][-1],  # after the last epoch
}
SETTING = ("max_len", "keep", "masked")  # keys of the record: the length of a row, which end is kept, whether padding is masked


def settings(record):  # -> list of (max_len, keep, masked)
    """The settings in which something was run, in the record's order."""
    return list(dict.fromkeys(tuple(run[name] for name in SETTING) for run in record["runs"]))


def runs(record, model, max_len=100, keep="first", masked=True):  # -> list, one entry for each seed
    """The runs of a model in a setting."""
    wanted = dict(zip(SETTING, (max_len, keep, masked), strict=True), model=model)
    return [run for run in record["runs"] if all(run[name] == value for name, value in wanted.items())]


def spread(numbers):  # -> (mean, lowest, highest), or None where there is none
    """What several seeds gave."""
    return (sum(numbers) / len(numbers), min(numbers), max(numbers)) if numbers else None


def mark(run, metric):  # a run of a record, name -> number
    """One metric of one run."""
    return VALIDATION[metric](run) if metric in VALIDATION else run[metric]


def table(record, metric, models, *setting):  # -> {model: (mean, lowest, highest)} of the models that were run
    """One metric of every model in a setting: one of VALIDATION, or a key of the record's runs."""
    found = {name: spread([mark(run, metric) for run in runs(record, name, *setting)]) for name in models}
    return {name: each for name, each in found.items() if each}


def baselines(record, max_len=100, keep="first", bigrams=False):  # -> {name: accuracies}, empty where none was measured
    """The baselines in a setting."""
    for found in record["baselines"]:
        if (found["max_len"], found["keep"], found["bigrams"]) == (max_len, keep, bigrams):
            return found["accuracies"]
    return {}
