"""Chapter 03, the RNN: "not very good", with vectors and a hidden state of two numbers."""

import numpy as np

from pencil.examples.shared import matrix
from pencil.reference.classify import MLPParams
from pencil.reference.recurrent import RNNParams

# A word is two numbers: praise and denial. The hidden state is two numbers: how the review sounds so far, and whether a "not" is open.
# An open "not" pulls the sound down by three.
RNN_WORDS = ("not", "very", "good")
RNN_VECTORS = matrix([0, 1], [0.5, 0], [1, 0])
RNN_UNITS = ("sound", "denial")
RNN_PARAMS = RNNParams(weight_ih=matrix([2, 0], [0, 1]), weight_hh=matrix([1, -3], [0, 1]), bias=np.array([-0.5, 0.0]))
RNN_OUTPUT = matrix([4, 0])  # from the last hidden state to the logit: the sound alone
RNN_HEAD = MLPParams(
    weight1=matrix([2, 0], [-2, 0]), bias1=np.zeros(2), weight2=matrix([2, -2]), bias2=np.zeros(1)
)  # the same, as the head of a classifier
PAIR_RNN = RNNParams(weight_ih=matrix([1, 0, 0, 0], [0, 1, 0, 0]), weight_hh=matrix([0.5, 0], [0, 0.5]))  # what is cat's alone, what is sat's alone
