/**
 * Bundles the page script from its TypeScript sources, once per process, when the first browser starts.
 *
 * The bundles run in a document one after the other and share their state through `globalThis.cairn` of the
 * isolated world. So a module with state must be part of only one bundle.
 */
import { fileURLToPath } from "node:url";
import type { EventNames } from "./page-script-event-names.ts";
import type { ActionParts, ShownParts, WorldParts } from "./page-script-interface.ts";

/**
 * Name of the isolated JavaScript world in which the page script (Cairn's code in a document) runs. Pages
 * cannot see or reach this world.
 */
export const WORLD_NAME = "cairn-session";

export interface PageScripts {
  /** The bundle for the isolated world of every document. It runs before any script of the page. */
  readonly first: string;
  /**
   * The bundle of the page script for the isolated world. It is loaded with the first call into a document;
   * loading it twice has no effect.
   */
  readonly world: string;
  /**
   * The bundle with the less frequent actions, for the isolated world. It is loaded into a document when a
   * call first needs such an action. The bundle `world` is loaded before it.
   */
  readonly actions: string;
  /**
   * The small bundle that finds out what a document shows, for the isolated world. Each call sends its code
   * again, so it must be much smaller than the bundle `world`.
   */
  readonly shown: string;
  /**
   * The bundle that runs in the page's own JavaScript world, before the first script of the page. It records
   * click listeners, closed shadow roots and timers.
   */
  readonly marks: string;
  /**
   * The bundle for the world of the page's own scripts, in sessions with a request guard (a function that allows
   * or refuses each request). It holds back WebSocket messages that ask for a change.
   */
  readonly sockets: string;
}

/**
 * Names of the events by which the page's main world and Cairn's isolated world exchange data. They are
 * random in every process, so that no page can guess them.
 */
const EVENT_NAMES: EventNames = {
  request: crypto.randomUUID(),
  clickListener: crypto.randomUUID(),
  operatingListener: crypto.randomUUID(),
  closedRoot: crypto.randomUUID(),
  recordTimers: crypto.randomUUID(),
  requestTimers: crypto.randomUUID(),
  timers: crypto.randomUUID(),
  stopTimers: crypto.randomUUID(),
};

/**
 * Name of the function by which a page reports a message over a WebSocket that was held back. It is random in every
 * process, and the page script removes it before any script of the page runs.
 */
export const HELD_MESSAGE_BINDING = `cairn${crypto.randomUUID().replaceAll("-", "")}`;

/** The file name of the entry module of each page script bundle. */
const ENTRIES = {
  first: "entry-of-document-start-bundle",
  world: "entry-of-isolated-world-bundle",
  actions: "entry-of-actions-bundle",
  shown: "entry-of-shown-content-bundle",
  marks: "entry-of-main-world-bundle",
  sockets: "entry-of-held-websocket-messages-bundle",
} as const;

/**
 * A part of the page script that only the bundle `world` adds to `globalThis.cairn`. If a document has this
 * part, it has loaded this bundle.
 */
const WORLD_PART: keyof WorldParts = "snapshots";
/**
 * A part of the page script that only the bundle `actions` adds to `globalThis.cairn`. If a document has this
 * part, it has loaded this bundle.
 */
const ACTION_PART: keyof ActionParts = "listbox";
const SHOWN_PART: keyof ShownParts = "shownContent";

let bundled: Promise<PageScripts> | undefined;

/**
 * Returns the page script. The first call creates the bundles, which takes time. So the first call is made
 * while Chromium starts, before the first page needs the script.
 */
export function pageScripts(): Promise<PageScripts> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<PageScripts> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  // esbuild is loaded only here, because it takes memory in each worker, and most workers of an idle node have
  // no browser.
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: Object.values(ENTRIES).map((entry) => `${entry}.ts`),
    outdir: "out",
    write: false,
    bundle: true,
    format: "iife",
    target: "esnext",
    charset: "utf8",
    minify: true,
    logLevel: "silent",
    define: {
      CAIRN_EVENT_NAMES: JSON.stringify(EVENT_NAMES),
      CAIRN_HELD_MESSAGE_BINDING: JSON.stringify(HELD_MESSAGE_BINDING),
    },
  });
  await stop();
  const textOf = (entry: string): string => {
    const file = outputFiles.find(({ path }) => path.endsWith(`${entry}.js`));
    if (!file) throw new Error(`The page script ${entry} was not bundled.`);
    return file.text;
  };
  const first = `if (!globalThis.cairn) {\n${textOf(ENTRIES.first)}}`;
  return {
    first,
    // In some documents, such as the initial empty one, the bundle `first` has not run. So the bundles
    // `world` and `shown` begin with the code of `first`, which has no effect if it runs twice.
    world: `${first}\nif (!globalThis.cairn.${WORLD_PART}) {\n${textOf(ENTRIES.world)}}`,
    shown: `${first}\nif (!globalThis.cairn.${SHOWN_PART}) {\n${textOf(ENTRIES.shown)}}`,
    actions: `if (!globalThis.cairn.${ACTION_PART}) {\n${textOf(ENTRIES.actions)}}`,
    marks: textOf(ENTRIES.marks),
    sockets: textOf(ENTRIES.sockets),
  };
}
