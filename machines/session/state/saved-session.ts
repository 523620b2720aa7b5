/**
 * The saved state of a session, split into a part in clear text and an encrypted part. Passwords are never
 * saved.
 */
import type { HighlightedElement } from "../page/page-snapshot.ts";

/** A cookie with the fields of `CookieParam` in the DevTools protocol. */
export interface SavedCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Time of expiry in seconds since the epoch; absent for a session cookie. */
  readonly expires?: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite?: "Strict" | "Lax" | "None";
  readonly priority: "Low" | "Medium" | "High";
  readonly sourceScheme: "Unset" | "NonSecure" | "Secure";
  readonly sourcePort: number;
  readonly partitionKey?: { readonly topLevelSite: string; readonly hasCrossSiteAncestor: boolean };
}

export type Items = readonly (readonly [key: string, value: string])[];

/**
 * The storage of the origin `origin` inside pages of the origin `top`. A browser stores the data of an
 * embedded origin, such as a frame, separately for each `top` whose pages embed it.
 */
export interface SavedOrigin {
  readonly top: string;
  readonly origin: string;
  readonly local: Items;
  readonly databases: readonly SavedDatabase[];
}

export interface SavedDatabase {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly SavedStore[];
}

/** A value from a database of the page that JSON cannot express; `$` names its kind. */
export interface Written {
  readonly $: string;
  readonly is?: unknown;
  readonly of?: string;
  readonly type?: string;
  readonly name?: string;
  readonly at?: number;
}

export interface SavedStore {
  readonly name: string;
  readonly keyPath: string | readonly string[] | null;
  readonly autoIncrement: boolean;
  readonly indexes: readonly {
    readonly name: string;
    readonly keyPath: string | readonly string[];
    readonly unique: boolean;
    readonly multiEntry: boolean;
  }[];
  /** Keys and values of the databases, in the form that the page script `indexeddb-storage.ts` uses. */
  readonly records: readonly (readonly [key: unknown, value: unknown])[];
}

/** A form field, with its value and the data by which it is found again. */
export interface SavedField {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly form: string;
  /** Position of the field among all fields of its document. */
  readonly at: number;
  /**
   * The attribute `value` of a radio button or checkbox. It identifies the option, and `checked` states
   * whether the option is chosen.
   */
  readonly option?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly chosen?: readonly string[];
  readonly text?: string;
  /** Number of files that were chosen in the field. The files themselves are not saved. */
  readonly files?: number;
}

/** A document in a tab: the page itself, or the document of a frame in the page. */
export interface SavedDocument {
  /**
   * For each frame on the way from the page to this document: its position among its siblings. Empty for the
   * page itself.
   */
  readonly path: readonly number[];
  readonly origin: string;
  readonly scroll: readonly [x: number, y: number];
  readonly scrolled: readonly (readonly [selector: string, x: number, y: number])[];
  readonly fields: readonly SavedField[];
  /** Session storage of the tab for this origin. */
  readonly session: Items;
}

/**
 * The element indices that were in use before the session was restored. The restored session does not assign
 * them to other elements, so it can explain to a caller which element an outdated index meant.
 */
export interface SavedIndices {
  readonly next: number;
  readonly revision: number;
  readonly elements: readonly HighlightedElement[];
}

export interface SavedTab {
  readonly url: string;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** Whether the page is the response to a submitted form. */
  readonly sent: boolean;
  readonly documents: readonly SavedDocument[];
  readonly indices: SavedIndices;
}

export interface SavedSession {
  /** Time at which the session was saved, in milliseconds since the epoch. */
  readonly saved_at: number;
  readonly shown: number;
  readonly tabs: readonly SavedTab[];
  readonly cookies: readonly SavedCookie[];
  readonly origins: readonly SavedOrigin[];
  /** Describes the parts of the session that could not be saved. */
  readonly lost: readonly string[];
  /** The text and the HTML on the session's clipboard. */
  readonly clipboard?: { readonly text: string; readonly html: string };
}

/** The part of a saved session that is stored in clear text: its addresses. Everything else is encrypted. */
export interface OpenPart {
  readonly saved_at: number;
  readonly shown: number;
  readonly tabs: readonly Pick<SavedTab, "url" | "past" | "future" | "sent">[];
}

export function openPartOf({ saved_at, shown, tabs }: SavedSession): OpenPart {
  return {
    saved_at,
    shown,
    tabs: tabs.map(({ url, past, future, sent }) => ({ url, past, future, sent })),
  };
}

/**
 * Returns a saved state with only the part that is stored in clear text: the addresses. Used if the encrypted
 * part cannot be decrypted.
 */
export function fromOpenPart({ saved_at, shown, tabs }: OpenPart, why: string): SavedSession {
  const indices = { next: 0, revision: 0, elements: [] };
  return {
    saved_at,
    shown,
    tabs: tabs.map((tab) => ({ ...tab, documents: [], indices })),
    cookies: [],
    origins: [],
    lost: [`cookies, storage, values of fields, the clipboard and old indices: ${why}`],
  };
}
