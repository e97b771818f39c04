"""Aligning a tiny GPT with a preference: write a sentence without the letter e. In reading order.

answers    sampled answers to a prompt, as a batch, with their rewards
tuning     supervised fine-tuning, DPO, REINFORCE and GRPO
recording  the measurement that chapter 14b quotes
"""
