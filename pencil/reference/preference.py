"""What makes a chatbot of a writer: the loss of an answer alone, a preference between two answers, and a group of answers with rewards."""

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import limits, numbers, shapes
from pencil.reference.functional import NOISE, sigmoid, stable_softmax


@shapes("... T V, int ... T -> ... T")
def token_log_probs(logits, ids, *, softmax=stable_softmax, note=no_note):
    """The log-probability of each token that came, from the logits before it.

    - `logits`: (..., T, V), a score for each token of the vocabulary
    - `ids`: (..., T), the token that came at each place
    - `softmax`: what turns logits into probabilities

    torch: log_softmax, gathered; it takes the logarithm before the quotient, and has a number also where this refuses. Raises ValueError
    for an id outside the vocabulary, and for a token whose probability is 0 in floats.
    """
    plain = np.asarray(ids).astype(int)
    if ((plain < 0) | (plain >= logits.shape[-1])).any():
        raise ValueError(f"ids {plain.tolist()} are not all among the {logits.shape[-1]} tokens (0 to {logits.shape[-1] - 1})")
    rows = softmax(logits, note=note).reshape(-1, logits.shape[-1])
    prob = note("prob", rows[np.arange(plain.size), plain.ravel()].reshape(plain.shape))
    if (zero := numbers(prob) == 0).any():
        raise ValueError(
            f"token {plain[zero].flat[0]} has the probability 0 in floats, and ln 0 is no number; its logit lies too far below the row's "
            "largest: bring the logits closer together, or take torch's log_softmax (pencil.model.preference.token_log_probs)"
        )
    return note("log_prob", np.log(prob))


@shapes("*shape, *shape -> ()")
def masked_cross_entropy(log_probs, mask, *, note=no_note):
    """The mean loss of the tokens that the mask lets count: those of the answer (Ouyang et al. 2022, 3.5: supervised fine-tuning).

    - `log_probs`: of each token, from `token_log_probs`
    - `mask`: 1 for a token of the answer, 0 for one of the question

    torch.nn.functional.cross_entropy with the label ignore_index=-100 where the mask is 0. Raises ValueError for a mask that holds
    anything but 0 and 1, and for one that lets nothing count.
    """
    plain = numbers(mask)
    if not np.isin(plain, (0, 1)).all():
        raise ValueError(f"the mask is {plain.tolist()}; write 1 where a token counts and 0 elsewhere")
    if not plain.any():
        raise ValueError("the mask lets no token count, and the mean of nothing is no number; let at least one count")
    counted = note("counted", note("token_loss", -log_probs) * mask)
    return note("loss", counted.sum() / note("count", mask.sum()))


@shapes("*shape, *shape, *shape, *shape -> *shape")
def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, *, beta=0.1, note=no_note):
    """Direct preference optimization: −ln of the probability that the chosen answer wins (Rafailov et al. 2023, eq. 7).

    - `chosen`, `rejected`: the log-probability that the model gives to the answer that was preferred, and to the other
    - `ref_chosen`, `ref_rejected`: those of the reference model, which does not learn
    - `beta`: how much a log-ratio counts, above 0

    A log-probability of an answer is the sum over its tokens. Raises ValueError for a beta that is not above 0, and where the
    probability of winning is too small for a float.
    """
    if not (numbers(beta) > 0).all():
        raise ValueError(f"beta={numbers(beta)}; it must be above 0")
    chosen_ratio, rejected_ratio = note("chosen_ratio", chosen - ref_chosen), note("rejected_ratio", rejected - ref_rejected)
    margin = note("margin", chosen_ratio - rejected_ratio)
    win = sigmoid(note("logit", beta * margin), note=scoped(note, "win"))
    if (numbers(win) == 0).any():
        raise ValueError(f"a margin of {numbers(margin).min()} leaves the chosen answer no chance; take a smaller beta than {numbers(beta)}")
    return note("loss", -np.log(win))


@shapes("... G -> ... G")
def grpo_advantages(rewards, *, ddof=0, eps=0.0, note=no_note):
    """How much better than its group each answer did: (reward − mean) / standard deviation (Shao et al. 2024, 4.1.2).

    - `rewards`: (..., G), one for each answer to the same question
    - `ddof`: 0 divides the sum of squares by G (the population's standard deviation), 1 by G − 1 (the sample's, as TRL does)
    - `eps`: added to the standard deviation; TRL adds 1e-4

    Where all rewards of a group are equal every advantage is 0. Raises ValueError for a ddof that leaves nothing to divide by.
    """
    size = rewards.shape[-1]
    check_group(size, ddof)
    mean = note("mean", rewards.mean(-1, keepdims=True))
    deviation = note("deviation", rewards - mean)
    square_sum = note("square_sum", (deviation * deviation).sum(-1, keepdims=True))
    std = note("std", np.sqrt(note("variance", square_sum / (size - ddof))))
    noise = (size + NOISE) * float(limits(rewards).eps)  # beside the largest reward: (0.1 + 0.1 + 0.1) / 3 is not quite 0.1
    flat = std <= noise * np.absolute(rewards).max(-1, keepdims=True)
    std = np.where(flat, 1, std + eps if eps else std)
    return note("advantage", np.where(flat, 0, deviation / std))


def check_group(size, ddof):
    """Raise ValueError for a ddof that leaves nothing to divide by in a group of this size."""
    if size <= ddof:
        raise ValueError(f"a group of {size} with ddof={ddof} leaves {size - ddof} to divide by; take a larger group")


@shapes("*shape, *shape, *shape -> *shape")
def clipped_objective(log_prob, old_log_prob, advantage, *, eps=0.2, note=no_note):
    """What is to be made large, token by token: the smaller of ratio · advantage and clipped ratio · advantage (Schulman et al. 2017, eq. 7).

    - `log_prob`: of a token, from the model as it is now
    - `old_log_prob`: from the model that wrote the token
    - `advantage`: of the answer that the token belongs to
    - `eps`: the ratio is clipped to 1 − eps and 1 + eps

    Raises ValueError for an eps that is not above 0 and below 1.
    """
    if not ((numbers(eps) > 0) & (numbers(eps) < 1)).all():
        raise ValueError(f"eps={numbers(eps)}; it must lie above 0 and below 1")
    ratio = note("ratio", np.exp(log_prob - old_log_prob))
    clipped = note("clipped", np.minimum(np.maximum(ratio, 1 - eps), 1 + eps))
    return note("objective", np.minimum(note("plain", ratio * advantage), note("bounded", clipped * advantage)))


@shapes("*shape, *shape -> *shape")
def kl_estimate(log_prob, ref_log_prob, *, note=no_note):
    """An estimate of the KL divergence from the reference, token by token: r − ln r − 1, where r is reference over model (Shao et al. 2024, eq. 4).

    - `log_prob`: of a token that the model wrote
    - `ref_log_prob`: from the reference model

    Never below 0, and 0 where the two agree. Source: Schulman 2020, "Approximating KL Divergence", k3. Raises ValueError for shapes that differ.
    """
    log_ratio = note("log_ratio", ref_log_prob - log_prob)
    return note("kl", note("ratio", np.exp(log_ratio)) - log_ratio - 1)
