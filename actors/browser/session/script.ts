/**
 * The code that goes into every document, put together from its parts: each is sent as its own source.
 *
 * Neighbours: `injected/` has the parts, `frames.ts` sends them.
 */

import { makeArrivals } from "./injected/arrivals.ts";
import { makeCalendarCells } from "./injected/calendar-cells.ts";
import { makeCalendarWays } from "./injected/calendar-ways.ts";
import { type Calendars, makeCalendars } from "./injected/calendars.ts";
import { makeCaptions } from "./injected/captions.ts";
import { type Clip, makeClip } from "./injected/clip.ts";
import { type Consents, makeConsents } from "./injected/consents.ts";
import { type DateFields, makeDateFields } from "./injected/date-fields.ts";
import { type DateTexts, makeDateTexts } from "./injected/date-texts.ts";
import { makeDescriber } from "./injected/describer.ts";
import { makeDifferences } from "./injected/differences.ts";
import { makeDoubles } from "./injected/doubles.ts";
import { makeDrafts } from "./injected/drafts.ts";
import { type Drags, makeDrags } from "./injected/drags.ts";
import { makeEars } from "./injected/ears.ts";
import { makeFaces } from "./injected/faces.ts";
import { type Fields, makeFields } from "./injected/fields.ts";
import { makeFlow } from "./injected/flow.ts";
import { type Forms, makeForms } from "./injected/forms.ts";
import { makeGeometry } from "./injected/geometry.ts";
import { makeGlance } from "./injected/glances.ts";
import { type Hands, makeHands } from "./injected/hands.ts";
import { makeHolders } from "./injected/holders.ts";
import { makeIcons } from "./injected/icons.ts";
import { makeIdentity } from "./injected/identity.ts";
import { makeLayouts } from "./injected/layouts.ts";
import { type Leaving, makeLeaving } from "./injected/leaving.ts";
import { type LeftOuts, makeLeftOuts } from "./injected/left-out.ts";
import { type Lists, makeLists } from "./injected/lists.ts";
import { noteMarks } from "./injected/marks.ts";
import { type Markups, makeMarkups } from "./injected/markup.ts";
import { type Media, makeMedia } from "./injected/media.ts";
import { makeNotes } from "./injected/notes.ts";
import { makeOptions } from "./injected/options.ts";
import { makeOverlay, type Overlay } from "./injected/overlay.ts";
import { makePanes } from "./injected/panes.ts";
import { makePaths } from "./injected/paths.ts";
import { makePopups } from "./injected/popups.ts";
import { makePresses } from "./injected/presses.ts";
import { makePulse, type Pulse } from "./injected/pulse.ts";
import { makeReadings } from "./injected/readings.ts";
import { makeRecorder } from "./injected/recorder.ts";
import { makeRegistry, type Registry, type RegistryNames } from "./injected/registry.ts";
import { makeShown, type Shown } from "./injected/shown.ts";
import { makeSigns } from "./injected/signs.ts";
import { makeSinks } from "./injected/sinks.ts";
import { makeStates } from "./injected/states.ts";
import { makeStillness } from "./injected/stillness.ts";
import { makeStirs, type Stirs } from "./injected/stirs.ts";
import { makeSurroundings } from "./injected/surroundings.ts";
import { makeTexts, type Texts } from "./injected/texts.ts";
import { makeUploads, type Uploads } from "./injected/uploads.ts";
import { makeWalker, type Walker } from "./injected/walker.ts";
import { makeWatch, type Watch } from "./injected/watch.ts";

/** What the world of a frame offers to the outside. */
export interface World {
  readonly registry: Registry;
  readonly walker: Walker;
  readonly shown: Shown;
  readonly hands: Hands;
  readonly fields: Fields;
  readonly stirs: Stirs;
  readonly pulse: Pulse;
  readonly clip: Clip;
  readonly drags: Drags;
  readonly texts: Texts;
  readonly forms: Forms;
  readonly uploads: Uploads;
  readonly lists: Lists;
  readonly leaving: Leaving;
  readonly media: Media;
  readonly consents: Consents;
  readonly calendars: Calendars;
  readonly dateFields: DateFields;
  readonly dateTexts: DateTexts;
  readonly watch: Watch;
  readonly leftOuts: LeftOuts;
  readonly markups: Markups;
  readonly overlay: Overlay;
}

/** Of the isolated world, which pages can neither see nor reach. */
export const WORLD = "cairn-session";

/** No page can guess them. */
const NAMES: RegistryNames = {
  ask: crypto.randomUUID(),
  listens: crypto.randomUUID(),
  closed: crypto.randomUUID(),
};

/** What is in the isolated world of every document, before any script of the page: no more than hears what nobody can ask for afterwards. */
const firstScript = `globalThis.cairn ??= {
  registry: (${makeRegistry})(${JSON.stringify(NAMES)}),
  drafts: (${makeDrafts})(),
  ears: (${makeEars})(),
};`;

/** What looks and acts need, in the same world: sent to a document with the first of them. Sent twice, the second does nothing. */
const worldScript = `${firstScript}
globalThis.cairn.walker ?? Object.assign(globalThis.cairn, (({ registry, drafts, ears }) => {
  const sinks = (${makeSinks})();
  const surroundings = (${makeSurroundings})();
  const describer = (${makeDescriber})(registry, sinks, (${makeCaptions})(), surroundings);
  const geometry = (${makeGeometry})(registry, describer);
  const notes = (${makeNotes})(registry, describer);
  const paths = (${makePaths})(notes);
  const icons = (${makeIcons})();
  const readings = (${makeReadings})(geometry, icons);
  const states = (${makeStates})(registry);
  const recorder = (${makeRecorder})(registry, describer, geometry, notes, paths, readings, icons, states);
  const stillness = (${makeStillness})(registry, describer, geometry, notes, states);
  const shown = (${makeShown})();
  const differences = (${makeDifferences})(recorder);
  const signs = (${makeSigns})(describer, readings, recorder);
  const flow = (${makeFlow})(readings);
  const panes = (${makePanes})(geometry);
  const doubles = (${makeDoubles})(describer, registry, readings, recorder, signs, geometry);
  const glance = (${makeGlance})();
  const walker = (${makeWalker})(
    registry, describer, geometry, notes, paths, recorder, readings, stillness, shown, differences,
    signs, sinks, flow, panes, doubles, glance,
  );
  const identity = (${makeIdentity})(registry, describer, shown);
  const arrivals = (${makeArrivals})(geometry);
  const faces = (${makeFaces})();
  const presses = (${makePresses})(describer, geometry);
  const hands = (${makeHands})(registry, geometry, recorder, identity, arrivals, ears, faces, presses);
  const fields = (${makeFields})(identity, drafts, sinks);
  const stirs = (${makeStirs})(geometry, identity, faces);
  return { describer, geometry, identity, walker, shown, hands, fields, faces, stirs };
})(globalThis.cairn));
undefined;`;

/** What rarer acts need, in the same world: sent to a document when the first of them comes, so that others do without. */
const actsScript = `Object.assign(globalThis.cairn, (({ registry, drafts, describer, geometry, identity, shown, faces }) => {
  const pulse = (${makePulse})(registry);
  const clip = (${makeClip})(registry, identity);
  const layouts = (${makeLayouts})(registry, geometry);
  const drags = (${makeDrags})(registry, geometry, identity, layouts);
  const texts = (${makeTexts})(registry, describer, geometry, shown);
  const forms = (${makeForms})(registry, describer, identity);
  const uploads = (${makeUploads})(registry, identity);
  const holders = (${makeHolders})(registry);
  const options = (${makeOptions})(registry, describer, identity);
  const popups = (${makePopups})(registry, faces, options);
  const lists = (${makeLists})(registry, identity, holders, faces, popups, options);
  const leaving = (${makeLeaving})(registry, geometry, identity, faces, drafts);
  const media = (${makeMedia})(registry, identity);
  const dateTexts = (${makeDateTexts})();
  const calendarCells = (${makeCalendarCells})(registry, dateTexts);
  const calendarWays = (${makeCalendarWays})(registry, identity, dateTexts, calendarCells);
  const calendars = (${makeCalendars})(registry, identity, dateTexts, calendarCells, calendarWays);
  const dateFields = (${makeDateFields})(registry, identity, dateTexts, calendarCells);
  const consents = (${makeConsents})(registry, describer, identity);
  const watch = (${makeWatch})(registry, geometry);
  const leftOuts = (${makeLeftOuts})(registry, describer, geometry, shown);
  const markups = (${makeMarkups})(registry);
  const overlay = (${makeOverlay})();
  return {
    pulse, clip, drags, texts, forms, uploads, lists, leaving, media, consents, calendars, dateFields,
    dateTexts, leftOuts, markups, overlay, watch,
  };
})(globalThis.cairn));`;

/** For the world of the page's own scripts. */
const marksScript = `(${noteMarks})(${JSON.stringify(NAMES)});`;

export const scripts = { first: firstScript, world: worldScript, acts: actsScript, marks: marksScript };

/** Calls a method of a part of the world; its answer as JSON, or nothing where the world is not there yet. */
export const CALL = `(part, method, args) =>
  globalThis.cairn?.[part] && JSON.stringify(globalThis.cairn[part][method](...JSON.parse(args)) ?? null)`;

/** The same of a method that answers later. */
export const CALL_LATER = `async (part, method, args) =>
  globalThis.cairn?.[part] &&
  JSON.stringify((await globalThis.cairn[part][method](...JSON.parse(args))) ?? null)`;
