"""What a writer keeps of the words so far, so that no word is worked twice (the key–value cache)."""

import torch


class Cache:
    """The keys and values of every block. It grows with each call, or is laid out once for `room` words.

    A cache belongs to one batch of texts, and where they ask another text to that one's memory. With `room` it is for writing,
    not for training: rows are written in place, and torch.compile needs two graphs for a whole text: one for the first words,
    one for each that follows.
    """

    def __init__(self, room=None):
        if room is not None and room < 1:
            raise ValueError(f"room={room} holds no word; give it at least 1, or leave it out and the cache grows")
        self.room, self.length, self.blocks = room, 0, {}
        self.real = None  # (..., S): which slots hold a word, where padding is masked
        self.memory = None  # the other text's rows, of which each block keeps its own keys and values

    def __repr__(self):
        return f"Cache of {self.length} words" + (f", room for {self.room}" if self.room else "")

    def block(self, number):  # -> Kept
        """What block `number` keeps."""
        if number not in self.blocks:
            self.blocks[number] = Kept(self.room)
        return self.blocks[number]

    def begin(self, words, memory=None):
        """Make ready for so many words more; before the first ones all is dropped that a call that broke off left.

        Raises ValueError for more words than there is room for, and for another memory than the first, or none: its keys and values are kept.
        """
        if self.room is not None and self.length + words > self.room:
            raise ValueError(f"{self.length + words} words and a cache with room for {self.room}; give it more room, or none and it grows")
        if self.length == 0:
            self.blocks, self.memory = {}, memory  # whatever a call that broke off left is dropped
        elif memory is None and self.memory is not None:
            raise ValueError("the cache was begun with a memory and this call has none; hand in the same tensor each time, or begin a new Cache()")
        elif memory is not self.memory:
            raise ValueError("the cache keeps the keys and values of another memory; hand in the same tensor each time, or begin a new Cache()")


class Kept:
    """One block's keys and values, and those of the other text that it asks."""

    def __init__(self, room):
        self.room, self.key, self.value, self.asked = room, None, None, None

    def extend(self, key, value, start):  # (..., T, d_k) (..., T, d_v) -> (..., S, d_k) (..., S, d_v)
        """Keep the new rows; all rows so far come back."""
        if self.room is None:
            self.key = key if start == 0 else torch.cat([self.key[..., :start, :], key], -2)  # whatever a call that broke off left is dropped
            self.value = value if start == 0 else torch.cat([self.value[..., :start, :], value], -2)
            return self.key, self.value
        if start == 0:
            self.key, self.value = (rows.new_empty(*rows.shape[:-2], self.room, rows.shape[-1]) for rows in (key, value))
        end = start + key.shape[-2]
        self.key[..., start:end, :] = key
        self.value[..., start:end, :] = value
        return self.key[..., :end, :], self.value[..., :end, :]
