"""Sentiment classification of film reviews: recurrent networks, Transformers and linear baselines. In reading order.

encoding                reviews as rows of ids, and the validation split
reviews_task            the task, for the training loop
entrants                the models, and one run of each
mean_embedding          the model without attention: a bag of words
transformer_classifier  a Transformer encoder with positions and a classification head
bigrams                 counts of words and bigrams, as sparse matrices
bigram_classifier       embeddings of words and bigrams, with or without attention
baselines               naive Bayes and logistic regression on counts
hyperparameter_search   the trials, and the test of the best one
whole_block             the Transformer with positions, on the validation set
pretraining             masked language modelling, then fine-tuning
exam                    each final model on the test set, once, with paired tests
writing                 a language modelling contest: loss by position in the window
long_range              synthetic long-range tasks, by distance
saliency                gradient norms by position
forget_bias             gradient decay of an untrained LSTM against its forget gate's bias
word_cosines            cosine similarities of word pairs before and after training
speed                   the time of a training step against the length of the text
recording               the record of chapter 08, measured as a list of jobs
leaderboard             read the record, setting by setting
curves                  the look of each model's curve in the pictures
"""
