"""Which model reads film reviews best? In reading order.

encoding                reviews as rows of ids, and the validation split
reviews_task            the task that all models learn
entrants                the models, and one run of each
mean_embedding          the model without attention, a bag of words
transformer_classifier  a whole encoder with positions
bigrams                 counts of words and of pairs of neighbours, as sparse matrices
bigram_classifier       words and bigrams, with or without attention
baselines               naive Bayes and logistic regression on counts
hyperparameter_search   the trials from which the best setting is chosen
whole_block             a Transformer that knows the order, on the same reviews
pretraining             a block that fills blanks first, then learns the labels
exam                    each final model on the test set, once; each two compared review by review
writing                 a second contest: who guesses the next letter, by its place in the window
long_range              does a word reach another, so many words away?
saliency                how much each position's word moves the answer
forget_bias             why a new LSTM fades: how its forget gate starts
word_cosines            what training does to pairs of word vectors
speed                   the time of a training step against the length of the text
recording               everything that chapter 08 quotes, measured as a list of jobs
leaderboard             what the record says, setting by setting
"""
