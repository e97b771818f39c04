"""A tiny writer that is taught a wish: a sentence without the letter e. In reading order.

answers    what it writes to a prompt, many at once, and whether the wish is met
tuning     four ways to teach it: answers to copy, pairs (DPO), and rewards (REINFORCE, GRPO)
recording  before and after, as chapter 14b quotes it
"""
