/**
 * Bundles the page script from its TypeScript sources, once per process, when the first browser starts.
 *
 * Bundles run in documents one after the other and share state through `globalThis.cairn` of the isolated world; a module
 * with state must therefore be part of one bundle only.
 */
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";
import type { EventNames } from "./event-names.ts";
import type { ActionParts, WorldParts } from "./world.ts";

/** Name of the isolated world, which pages can neither see nor reach. */
export const WORLD_NAME = "cairn-session";

export interface PageScripts {
  /** For the isolated world of every document, before any script of the page. */
  readonly first: string;
  /** For the same world, with the first call into a document. Running it twice has no effect. */
  readonly world: string;
  /** For the same world, with the first call of a part that the world bundle does not have. */
  readonly actions: string;
  /** For the page's own world, before any script of the page. */
  readonly marks: string;
}

/** New in every process, so that no page can guess them. */
const EVENT_NAMES: EventNames = {
  request: crypto.randomUUID(),
  clickListener: crypto.randomUUID(),
  operatingListener: crypto.randomUUID(),
  closedRoot: crypto.randomUUID(),
};

/** Entry modules by script. */
const ENTRIES = {
  first: "entry-document-start",
  world: "entry-world",
  actions: "entry-actions",
  marks: "entry-main-world",
} as const;

/** A part whose presence shows that the world bundle has run in a document. */
const WORLD_PART: keyof WorldParts = "snapshots";
/** The same for the actions bundle. */
const ACTION_PART: keyof ActionParts = "listbox";

let bundled: Promise<PageScripts> | undefined;

/** The page script, bundled at the first call; call it early to have it ready for the first page. */
export function pageScripts(): Promise<PageScripts> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<PageScripts> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
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
    define: { CAIRN_EVENT_NAMES: JSON.stringify(EVENT_NAMES) },
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
    // A document that had no first script, such as the initial empty one, gets it here.
    world: `${first}\nif (!globalThis.cairn.${WORLD_PART}) {\n${textOf(ENTRIES.world)}}`,
    actions: `if (!globalThis.cairn.${ACTION_PART}) {\n${textOf(ENTRIES.actions)}}`,
    marks: textOf(ENTRIES.marks),
  };
}
