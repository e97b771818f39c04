"""Chapter 01, words to numbers: the chain letter of source 004, three texts to count in, a text to cut into byte pairs."""

MEME = "it doesn't matter in what order the letters in a word are, the only important thing is that the first and last letter be in the right place."
MEME_SCRAMBLED = (
    "it dseno't mtaetr in waht oerdr the ltteres in a wrod are, the olny iproamtnt tihng is taht the frsit and lsat ltteer be in the rghit pclae."
)
TALLY = ("the cat sat", "the boring boring movie", "the boring cat")
BPE_TEXT = "the cat sat on the mat"
