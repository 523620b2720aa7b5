/**
 * What of a session outlives its browser: enough to bring it back, in parts that say how secret they are.
 *
 * Plain data, made and put back by `actors/browser/session/` (`saving.ts`, `restoring.ts`), sealed and kept by
 * `actors/session/vault.ts`. Passwords are never part of it.
 */
import type { HighlightedElement } from "./analysis.ts";

/** A cookie, in the fields of the DevTools protocol's `CookieParam`. */
export interface SavedCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; absent for one that ends with its session. */
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

/** What scripts of an origin keep, under pages of one top origin: storage is partitioned by it. */
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

/** What JSON does not know of the values in a database, as `injected/databases.ts` writes it; `$` names its kind. */
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
  /** Keys and values in the form of `injected/databases.ts`. */
  readonly records: readonly (readonly [key: unknown, value: unknown])[];
}

/** A field by what tells it from others, and what it held. */
export interface SavedField {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly form: string;
  /** Its place among the fields of its document. */
  readonly at: number;
  /** Of a radio button and a checkbox: its value, which is no text that somebody typed. */
  readonly option?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly chosen?: readonly string[];
  readonly text?: string;
  /** Files that were chosen in it: they are not kept. */
  readonly files?: number;
}

/** One document of a tab: the page itself, or a frame in it. */
export interface SavedDocument {
  /** Ordinals of frames from the page inwards; empty for the page itself. */
  readonly path: readonly number[];
  readonly origin: string;
  readonly scroll: readonly [x: number, y: number];
  readonly scrolled: readonly (readonly [selector: string, x: number, y: number])[];
  readonly fields: readonly SavedField[];
  /** Storage of the tab and this origin. */
  readonly session: Items;
}

/** Indices that were given before: none of them is given again, and each can be told what it was. */
export interface SavedIndices {
  readonly next: number;
  readonly revision: number;
  readonly elements: readonly HighlightedElement[];
}

export interface SavedTab {
  readonly url: string;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** It came as the answer to a form that was sent. */
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
  /** What was copied in it last. */
  readonly clipboard?: { readonly text: string; readonly html: string };
}

/** The part that may lie open: where the session is. Everything else is sealed. */
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

/** What can be brought back where nothing but the open part can be read. */
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
