"""A small vision transformer on handwritten digits, in reading order.

images_task  the task, the models, training and accuracy
recording    with and without positions, and two models without attention, as chapter 15 quotes them
page_digits  the model that the page carries, in int8, run by NumPy
"""
