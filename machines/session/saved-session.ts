/** The saved state of a session, in parts by how secret they are. Passwords are never part of it. */
import type { HighlightedElement } from "./page-snapshot.ts";

/** A cookie in the fields of the DevTools protocol's `CookieParam`. */
export interface SavedCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; absent for a session cookie. */
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

/** Storage of an origin under one top-level origin: browsers partition storage by it. */
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

/** A database value that JSON cannot express; `$` names its kind. */
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
  /** Keys and values in the form of the page script's `indexed-databases.ts`. */
  readonly records: readonly (readonly [key: unknown, value: unknown])[];
}

/** A field by what identifies it, and its value. */
export interface SavedField {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly form: string;
  /** Its position among the fields of its document. */
  readonly at: number;
  /** The value of a radio button or checkbox, which is not typed text. */
  readonly option?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly chosen?: readonly string[];
  readonly text?: string;
  /** Number of chosen files, which are not saved. */
  readonly files?: number;
}

/** One document of a tab: the page, or a frame in it. */
export interface SavedDocument {
  /** Positions of frames from the page inwards; empty for the page. */
  readonly path: readonly number[];
  readonly origin: string;
  readonly scroll: readonly [x: number, y: number];
  readonly scrolled: readonly (readonly [selector: string, x: number, y: number])[];
  readonly fields: readonly SavedField[];
  /** Session storage of the tab for this origin. */
  readonly session: Items;
}

/** Indices that were used: they are not reused, and a stale one can be described. */
export interface SavedIndices {
  readonly next: number;
  readonly revision: number;
  readonly elements: readonly HighlightedElement[];
}

export interface SavedTab {
  readonly url: string;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** The page was the answer to a submitted form. */
  readonly sent: boolean;
  readonly documents: readonly SavedDocument[];
  readonly indices: SavedIndices;
}

export interface SavedSession {
  /** Milliseconds since the epoch. */
  readonly saved_at: number;
  readonly shown: number;
  readonly tabs: readonly SavedTab[];
  readonly cookies: readonly SavedCookie[];
  readonly origins: readonly SavedOrigin[];
  /** What could not be saved, in words. */
  readonly lost: readonly string[];
  /** Content of the session's clipboard. */
  readonly clipboard?: { readonly text: string; readonly html: string };
}

/** The part that is stored in clear text: where the session is. Everything else is encrypted. */
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

/** The state that can be restored from the open part alone, when the sealed part cannot be decrypted. */
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
