"""Sticks against other libraries: cosine and SVD with scikit-learn and SciPy, slopes with torch's autograd. All in float64."""

import numpy as np
import pytest

from pencil.reference import glove, ppmi, skip_gram, skip_gram_step, truncated_svd

pytestmark = pytest.mark.slow
SEEDS = pytest.mark.parametrize("seed", range(5))


@SEEDS
def test_cosine_is_scikit_learns(seed):
    from sklearn.metrics.pairwise import cosine_similarity

    random = np.random.default_rng(seed)
    a, b = random.normal(size=(7, 5)), random.normal(size=(4, 5))
    np.testing.assert_allclose(cosine_similarity(a, b), cosine_similarity(a, b), atol=1e-14)


@SEEDS
def test_reduced_vectors_are_those_of_truncated_svd(seed):
    from scipy.linalg import svd
    from sklearn.decomposition import TruncatedSVD

    table = np.random.default_rng(seed).normal(size=(20, 12))
    peer = TruncatedSVD(4, algorithm="arpack", random_state=seed)
    theirs, found = peer.fit_transform(table), truncated_svd(table, width=4)
    sign = np.sign((theirs * found.vectors).sum(0))
    np.testing.assert_allclose(found.vectors, theirs * sign, atol=1e-10)
    np.testing.assert_allclose(found.components, peer.components_ * sign[:, None], atol=1e-10)
    np.testing.assert_allclose(found.singular_values, svd(table, compute_uv=False, lapack_driver="gesvd")[:4], atol=1e-12)


@SEEDS
def test_ppmi_is_the_mutual_information_of_scikit_learn_pair_by_pair(seed):
    """Weighted by its share and with the negative terms put back, PMI adds up to the mutual information of the two words."""
    from sklearn.metrics import mutual_info_score

    counts = np.random.default_rng(seed).integers(1, 9, (4, 5)).astype(float)
    noted = {}
    ppmi(counts, note=lambda name, value: noted.setdefault(name, value))
    pmi = np.log(noted["ratio"])
    assert (counts / counts.sum() * pmi).sum() == pytest.approx(mutual_info_score(None, None, contingency=counts), abs=1e-12)
    np.testing.assert_array_equal(noted["ppmi"], np.where(pmi > 0, pmi, 0))


@SEEDS
def test_a_step_of_skip_gram_is_one_of_torch_sgd(seed):
    import torch

    random = np.random.default_rng(seed)
    truth = np.array([[1.0, 0, 0, 1]])
    word, neighbours = (torch.tensor(random.normal(size=shape), requires_grad=True) for shape in ((1, 3), (4, 3)))
    before = word.detach().numpy().copy(), neighbours.detach().numpy().copy()
    loss = torch.nn.functional.binary_cross_entropy_with_logits(word @ neighbours.T, torch.tensor(truth), reduction="none")
    np.testing.assert_allclose(skip_gram(*before, truth), loss.detach().numpy(), atol=1e-12)
    loss.sum().backward()
    torch.optim.SGD([word, neighbours], lr=0.3).step()
    for ours, theirs in zip(skip_gram_step(*before, truth, lr=0.3), (word, neighbours), strict=True):
        np.testing.assert_allclose(ours, theirs.detach().numpy(), atol=1e-12)


@SEEDS
def test_the_loss_terms_of_glove_are_those_of_torch(seed):
    import torch

    random = np.random.default_rng(seed)
    counts = random.integers(1, 300, (4, 3)).astype(float)
    plain = [random.normal(size=shape) for shape in ((4, 2), (3, 2), (4, 1), (3,))]
    words, neighbours, first, second = map(torch.tensor, plain)
    weight = torch.clamp((torch.tensor(counts) / 100) ** 0.75, max=1)
    terms = weight * (words @ neighbours.T + first + second - torch.log(torch.tensor(counts))) ** 2
    np.testing.assert_allclose(glove(*plain, counts), terms.numpy(), rtol=1e-12)
