"""Small vision transformers on handwritten digits, in reading order.

images_task  the task, the models, training and accuracy
recording    the comparison that chapter 15 quotes: position encodings, a CNN and logistic regression
page_digits  the int8 model that the page carries, run by NumPy
"""
