/**
 * Finds the screens that a text, such as a passage of a document, mentions: by addresses, by names, and by
 * labels of elements that only a few screens have.
 */
import { normaliseUrl } from "../../exploration/crawl/normalise-url.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { documentLimits } from "./ingested-document-limits.ts";

export interface NamedScreen {
  readonly screen_id: string;
  readonly name: string;
  readonly url: string;
}

/** For each label: the screens that have an element with this label. */
export type LabelledScreens = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Minimum number of letters in a screen's name that is searched for in a text. Texts often contain shorter
 * words, such as "New", by chance.
 */
const LEAST_LETTERS = 4;
/** A label identifies screens in a text if at most this number of screens have the label. */
const RARE_LABEL = 3;
const MAX_NAME_WORDS = 8;
const ADDRESS = /https?:\/\/[^\s)<>\]"'`]+/g;
const PATH = /(?<![\w/:.])\/[\w-]+(?:\/[\w.-]+)*\/?/g;
const LABEL = /\*\*([^*\n]{2,60})\*\*|["“]([^"”\n]{2,60})["”]|`([^`\n]{2,60})`/g;

export class Mentions {
  readonly #byName = new Map<string, string[]>();
  readonly #byPath = new Map<string, string>();
  readonly #byUrl: (url: string) => string | undefined;
  readonly #labels: LabelledScreens;

  constructor(
    screens: Iterable<NamedScreen>,
    byUrl: (url: string) => string | undefined,
    labels: LabelledScreens,
  ) {
    this.#byUrl = byUrl;
    this.#labels = labels;
    for (const { screen_id, name, url } of screens) {
      const words = wordsOf(name);
      const letters = words.reduce((sum, word) => sum + word.length, 0);
      if (words.length > 0 && words.length <= MAX_NAME_WORDS && letters >= LEAST_LETTERS) {
        const key = words.join(" ");
        const known = this.#byName.get(key);
        if (known) known.push(screen_id);
        else this.#byName.set(key, [screen_id]);
      }
      const path = URL.parse(url)?.pathname.replace(/\/$/, "");
      if (path && !this.#byPath.has(path)) this.#byPath.set(path, screen_id);
    }
  }

  /** The screens that the text names, best evidence first. */
  in(title: string, text: string): readonly string[] {
    const found = new Set<string>();
    for (const [address] of text.matchAll(ADDRESS)) {
      const url = normaliseUrl(address.replace(/[.,;:!?]+$/, ""));
      const id = url === undefined ? undefined : this.#byUrl(url);
      if (id !== undefined) found.add(id);
    }
    for (const [path] of text.replace(ADDRESS, " ").matchAll(PATH)) {
      const id = this.#byPath.get(path.replace(/[.,/]+$/, ""));
      if (id !== undefined) found.add(id);
    }
    for (const part of [title, text]) for (const id of this.#named(part)) found.add(id);
    for (const [, ...groups] of text.matchAll(LABEL)) {
      const label = groups.find((group) => group !== undefined);
      const screens = label === undefined ? undefined : this.#labels.get(wordsOf(label).join(" "));
      if (screens && screens.size <= RARE_LABEL) for (const id of screens) found.add(id);
    }
    return [...found].slice(0, documentLimits.linkedScreens);
  }

  /**
   * Longer names are searched for first. So "Order settings" in a text means the screen "Order settings", and
   * not the screen "Settings".
   */
  *#named(text: string): Generator<string> {
    const words = wordsOf(text);
    for (let at = 0; at < words.length; at++) {
      for (let length = Math.min(MAX_NAME_WORDS, words.length - at); length > 0; length--) {
        const screens = this.#byName.get(words.slice(at, at + length).join(" "));
        if (!screens) continue;
        yield* screens;
        at += length - 1;
        break;
      }
    }
  }
}
