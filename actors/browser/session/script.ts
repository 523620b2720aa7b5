/**
 * The code that goes into every document, put together from its parts: each is sent as its own source.
 *
 * Neighbours: `injected/` has the parts, `frames.ts` sends them.
 */
import { makeDescriber } from "./injected/describer.ts";
import { type Fields, makeFields } from "./injected/fields.ts";
import { makeGeometry } from "./injected/geometry.ts";
import { type Hands, makeHands } from "./injected/hands.ts";
import { makeIdentity } from "./injected/identity.ts";
import { noteMarks } from "./injected/marks.ts";
import { makeNotes } from "./injected/notes.ts";
import { makePaths } from "./injected/paths.ts";
import { makeRecorder } from "./injected/recorder.ts";
import { makeRegistry, type Registry, type RegistryNames } from "./injected/registry.ts";
import { makeStillness } from "./injected/stillness.ts";
import { makeWalker, type Walker } from "./injected/walker.ts";

/** What the world of a frame offers to the outside. */
export interface World {
  readonly registry: Registry;
  readonly walker: Walker;
  readonly hands: Hands;
  readonly fields: Fields;
}

/** Of the isolated world, which pages can neither see nor reach. */
export const WORLD = "cairn-session";

/** No page can guess them. */
const NAMES: RegistryNames = {
  ask: crypto.randomUUID(),
  listens: crypto.randomUUID(),
  closed: crypto.randomUUID(),
};

/** For the isolated world; sent twice, the second does nothing. */
export const worldScript = `globalThis.cairn ??= (() => {
  const registry = (${makeRegistry})(${JSON.stringify(NAMES)});
  const describer = (${makeDescriber})(registry);
  const geometry = (${makeGeometry})(registry, describer);
  const notes = (${makeNotes})(registry, describer);
  const paths = (${makePaths})(notes);
  const recorder = (${makeRecorder})(registry, describer, geometry, notes, paths);
  const stillness = (${makeStillness})(registry, geometry, notes);
  const walker = (${makeWalker})(registry, describer, geometry, notes, paths, recorder, stillness);
  const identity = (${makeIdentity})(registry, describer, walker);
  const hands = (${makeHands})(registry, geometry, recorder, identity);
  const fields = (${makeFields})(identity);
  return { registry, walker, hands, fields };
})();`;

/** For the world of the page's own scripts. */
export const marksScript = `(${noteMarks})(${JSON.stringify(NAMES)});`;

/** Calls a method of a part of the world; its answer as JSON, or nothing where the world is not there yet. */
export const CALL = `(part, method, args) =>
  globalThis.cairn && JSON.stringify(globalThis.cairn[part][method](...JSON.parse(args)) ?? null)`;
