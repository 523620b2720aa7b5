/**
 * Which texts tell a screen from the other screens of its map: present on its instances, rare elsewhere.
 * The recognition formula asks for half of the required ones, so there are few; the others support.
 */
import type { Indicator, StateSignature } from "../records.ts";

/** Required texts of a screen. */
const MOST_REQUIRED = 5;
/** Required texts of the site's frame, of a screen without others. */
const FRAME_REQUIRED = 3;
/** Supporting texts of a screen. */
const MOST_OPTIONAL = 60;
/** Least share of the instances that show a required text. */
const PRESENT = 0.8;
/** Least share of the instances that show a supporting text. */
const COMMON = 0.5;
/** A text on more of the screens is part of the site's frame. */
const FRAME = 0.6;

/** The texts of one screen, from a sample of its instances. */
export interface ScreenTexts {
  readonly screen_id: string;
  readonly samples: readonly (readonly Indicator[])[];
}

/** How many screens show a text on most of their instances. */
export class TextFrequencies {
  readonly #screens = new Map<string, number>();
  #size = 0;

  add(texts: ScreenTexts): void {
    this.#size += 1;
    for (const { key, share } of sharesOf(texts)) {
      if (share >= COMMON) this.#screens.set(key, (this.#screens.get(key) ?? 0) + 1);
    }
  }

  /** 0 for a text of all screens, growing with its rarity. */
  rarity(key: string): number {
    return Math.log((this.#size + 1) / ((this.#screens.get(key) ?? 0) + 1));
  }

  /** Whether most screens show the text. */
  isFrame(key: string): boolean {
    return this.#size > 2 && (this.#screens.get(key) ?? 0) > FRAME * this.#size;
  }
}

/** @param patterns the URL patterns of the screen */
export function chooseIndicators(
  texts: ScreenTexts,
  patterns: readonly string[],
  frequencies: TextFrequencies,
): StateSignature {
  const ranked = sharesOf(texts)
    .map((text) => ({ ...text, worth: text.share * frequencies.rarity(text.key) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at);
  const present = ranked.filter(({ share }) => share >= PRESENT);
  const own = present.filter(({ key }) => !frequencies.isFrame(key));
  // A number belongs to one record, one day or one row: "Order 17" is not there on the next visit.
  const lasting = own.filter(({ key }) => !/\d/.test(key));
  const telling = [...new Set([...lasting, ...own])].slice(0, MOST_REQUIRED);
  // The frame tells a page of the site from a sign-in or an error at its address.
  const required = telling.length > 0 ? telling : present.slice(0, FRAME_REQUIRED);
  const chosen = new Set(required.map(({ key }) => key));
  const optional = ranked
    .filter(({ key, share }) => share >= COMMON && !chosen.has(key))
    .slice(0, MOST_OPTIONAL);
  const url: Indicator = {
    type: "url_matches",
    pattern: patterns.join("|"),
    reason: "URL pattern for screen recognition",
  };
  return {
    required_indicators: [...required.map(({ indicator }) => indicator), url],
    optional_indicators: optional.map(({ indicator }) => indicator),
  };
}

interface TextShare {
  readonly key: string;
  readonly indicator: Indicator;
  readonly share: number;
  /** Position on the page, which decides between equal texts. */
  readonly at: number;
}

function sharesOf({ samples }: ScreenTexts): readonly TextShare[] {
  const counts = new Map<string, { readonly indicator: Indicator; readonly at: number; count: number }>();
  for (const sample of samples) {
    const seen = new Set<string>();
    for (const [at, indicator] of sample.entries()) {
      const key = indicator.value?.toLowerCase();
      if (key === undefined || seen.has(key)) continue;
      seen.add(key);
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { indicator, at, count: 1 });
    }
  }
  return [...counts].map(([key, { indicator, at, count }]) => ({
    key,
    indicator,
    at,
    share: count / samples.length,
  }));
}
