"""Aligning a tiny GPT: it learns to answer, and it learns a preference, to write a sentence without the letter e. In reading order.

film         an invented film, with questions and answers about it
answers      sampled answers to a prompt, as a batch, with their rewards
tuning       supervised fine-tuning, DPO, REINFORCE and GRPO
chat_writer  the recorded writers of the film before and after, run by NumPy
chat         the measurement of the chat about the film
recording    the measurement of the preference (chapter 14b quotes both)
"""
