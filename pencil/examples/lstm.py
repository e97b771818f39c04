"""Chapter 04, the LSTM and the GRU: "not good" with the vectors of chapter 03."""

import numpy as np

from pencil.examples.rnn import RNN_VECTORS, RNN_WORDS
from pencil.examples.shared import matrix
from pencil.reference.recurrent import GRUParams, LSTMParams, RNNParams

# The two numbers of the state are those of the RNN. Any other word is a row of zeros.
# The gates read the word alone. A word of praise uses the "not" up: its forget gate closes on it.
LSTM_VECTORS = dict(zip(RNN_WORDS, RNN_VECTORS.tolist(), strict=True))
LSTM_PARAMS = LSTMParams(
    forget_gate=RNNParams(weight_ih=matrix([0, 0], [-4, 0]), weight_hh=np.zeros((2, 2)), bias=np.array([2.0, 2.0])),
    input_gate=RNNParams(weight_ih=matrix([4, 0], [0, 4]), weight_hh=np.zeros((2, 2)), bias=np.array([-2.0, -2.0])),
    output_gate=RNNParams(weight_ih=matrix([4, 0], [0, 0]), weight_hh=np.zeros((2, 2)), bias=np.array([-2.0, 2.0])),
    candidate=RNNParams(weight_ih=matrix([1, 0], [0, 2]), weight_hh=matrix([0, -4], [0, 0]), bias=np.zeros(2)),
)

# The same in one state. A word of praise changes the sound and uses the "not" up, a "not" changes the denial, any other word keeps both.
# The candidate hears the old state at a word of praise.
GRU_PARAMS = GRUParams(
    reset_gate=RNNParams(weight_ih=matrix([4, 0], [0, 0]), weight_hh=np.zeros((2, 2)), bias=np.array([-2.0, 2.0])),
    update_gate=RNNParams(weight_ih=matrix([-4, 0], [-4, -4]), weight_hh=np.zeros((2, 2)), bias=np.array([2.0, 2.0])),
    candidate=LSTM_PARAMS.candidate,
)
