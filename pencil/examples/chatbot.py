"""Chapter 14b, the chatbot: a question and its answer as one row of tokens, with the logits of a model that would rather ask again."""

import numpy as np

from pencil.examples.shared import matrix

CHAT_TOKENS = ("who", "sat", "say", "cat", "end")  # the vocabulary, and the row itself: "say" opens the answer, "end" closes it
CHAT_SCORES = matrix([0, 2, 0, 0, 0], [0, 0, 1, 0, 1], [2, 0, 0, 1, 0], [0, 1, 0, 0, 2])  # after each token but the last
CHAT_MASK = np.array([0.0, 0, 1, 1])  # which of the next tokens belong to the answer
