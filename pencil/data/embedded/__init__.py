"""A generator of film reviews, so that no page needs a download.

lexicon    the words
sentences  sentence templates with slots for words
grammar    whole reviews, positive and negative
"""
