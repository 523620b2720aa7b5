/**
 * Chooses the texts (indicators) by which a screen is recognised: texts on the screen's pages that are rare on
 * other screens of the map. A few are required, and a screen is recognised only if the page shows more than half
 * of them. The others are optional.
 */
import type { Indicator, StateSignature } from "../../records/map-records.ts";
import { stateOfId } from "./page-states-to-map-instances.ts";

/** Maximum number of required texts by which a screen is recognised. */
const MOST_REQUIRED = 5;
/** Number of required texts for a screen whose texts all belong to the site's frame, such as the menu. */
const FRAME_REQUIRED = 3;
/** Maximum number of optional texts by which a screen is recognised. */
const MOST_OPTIONAL = 60;
/**
 * A text is required for the recognition of a screen only if at least this share (0 to 1) of the screen's pages
 * (instances) show it.
 */
const PRESENT = 0.8;
/**
 * A text is optional for the recognition of a screen if at least this share (0 to 1) of the screen's pages
 * (instances) show it. Texts on fewer pages are ignored.
 */
const COMMON = 0.5;
/**
 * A text distinguishes a screen only if at most this share (0 to 1) of the screens have the text. A more frequent
 * text belongs to the site's frame, such as its menu.
 */
const FRAME = 0.6;

/** The texts of one screen, from some of its pages (instances). */
export interface ScreenTexts {
  readonly screen_id: string;
  readonly samples: readonly (readonly Indicator[])[];
}

/** Counts how many screens have each text. A screen has a text if most of its pages (instances) show it. */
export class TextFrequencies {
  readonly #screens = new Map<string, number>();
  #size = 0;

  add(texts: ScreenTexts): void {
    this.#size += 1;
    for (const { key, share } of sharesOf(texts)) {
      if (share >= COMMON) this.#screens.set(key, (this.#screens.get(key) ?? 0) + 1);
    }
  }

  /** The rarity of a text: 0 if all screens have the text, and higher the fewer screens have it. */
  rarity(key: string): number {
    return Math.log((this.#size + 1) / ((this.#screens.get(key) ?? 0) + 1));
  }

  /** Whether the text is part of the site's frame (its header and menu), because most screens show it. */
  isFrame(key: string): boolean {
    return this.#size > 2 && (this.#screens.get(key) ?? 0) > FRAME * this.#size;
  }
}

interface ChoiceOptions {
  /** The URL patterns of the screen. */
  readonly patterns: readonly string[];
  readonly frequencies: TextFrequencies;
  /**
   * For a state of a page: the texts that the page also shows, or a state between the page and this state.
   * They do not distinguish the state.
   */
  readonly around?: ReadonlySet<string>;
}

export function chooseIndicators(
  texts: ScreenTexts,
  { patterns, frequencies, around = new Set() }: ChoiceOptions,
): StateSignature {
  const ranked = sharesOf(texts)
    .map((text) => ({ ...text, worth: text.share * frequencies.rarity(text.key) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at);
  const present = ranked.filter(({ share }) => share >= PRESENT);
  const own = present.filter(({ key }) => !frequencies.isFrame(key));
  // A text of a dialog does not distinguish it if a text behind the dialog contains it. For example, the
  // dialog of a card has the heading "Practice website", and the list behind it has a card "Practice website
  // $4,500".
  const shown = [...around];
  const marks = own.filter(({ key }) => !around.has(key) && !shown.some((text) => text.includes(key)));
  const required = requiredOf(texts.screen_id, present, marks.some(isLasting) ? marks : own);
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

/**
 * Returns the required texts of a screen. A text with a number, such as "Order 17", belongs to one record and
 * may be missing on the next visit. So at most half of the required texts contain a number, unless all
 * distinguishing texts do.
 *
 * @param present the texts that most pages of the screen show, best first
 * @param own those of `present` that most other screens do not show
 */
function requiredOf(
  screenId: string,
  present: readonly TextShare[],
  own: readonly TextShare[],
): readonly TextShare[] {
  const lasting = own.filter(isLasting).slice(0, MOST_REQUIRED);
  const numbered = own.filter((text) => !isLasting(text));
  // A state, such as a dialog, may be shown over the page of one record, whose number stays visible. So only
  // texts without a number distinguish the state from the page.
  if (lasting.length > 0 && stateOfId(screenId) !== undefined) return lasting;
  // If a screen has no distinguishing texts, texts of the site's frame, such as its menu, are required. They
  // distinguish the screen at least from sign-in and error pages.
  const steady = lasting.length > 0 ? lasting : present.filter(isLasting).slice(0, FRAME_REQUIRED);
  if (steady.length === 0)
    return own.length > 0 ? own.slice(0, MOST_REQUIRED) : present.slice(0, FRAME_REQUIRED);
  return [...steady, ...numbered.slice(0, Math.min(steady.length, MOST_REQUIRED - steady.length))];
}

/**
 * Whether the text contains no number. A text with a number usually belongs to one record, and may be missing
 * on the next visit.
 */
function isLasting({ key }: TextShare): boolean {
  return !/\d/.test(key);
}

/** Returns the lower-case text of an indicator, by which equal texts are found. */
export function textKey({ value = "" }: Indicator): string {
  return value.toLowerCase();
}

interface TextShare {
  readonly key: string;
  readonly indicator: Indicator;
  readonly share: number;
  /**
   * Position of the text on the page. Of two texts that equally few pages show, the earlier one is chosen.
   */
  readonly at: number;
}

function sharesOf({ samples }: ScreenTexts): readonly TextShare[] {
  const counts = new Map<string, { readonly indicator: Indicator; readonly at: number; count: number }>();
  for (const sample of samples) {
    const seen = new Set<string>();
    for (const [at, indicator] of sample.entries()) {
      const key = textKey(indicator);
      if (key === "" || seen.has(key)) continue;
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
