/** Interface of the page script: the parts that the driver calls by name, and the bundle that brings each of them. */
import type { Hands } from "./actionability/actionability.ts";
import type { Identity } from "./actionability/element-identity.ts";
import type { Ears } from "./actionability/event-tap.ts";
import type { Geometry } from "./actionability/geometry.ts";
import type { Clip } from "./actions/clipboard-events.ts";
import type { Drags } from "./actions/drag-drop.ts";
import type { Fields } from "./actions/field-values.ts";
import type { Uploads } from "./actions/file-inputs.ts";
import type { Forms } from "./actions/form-submission.ts";
import type { Media } from "./actions/media-players.ts";
import type { Texts } from "./actions/text-search.ts";
import type { Overlay } from "./box-overlay.ts";
import type { Registry } from "./element-registry.ts";
import type { Watch } from "./observe/document-changes.ts";
import type { Stirs } from "./observe/page-idle.ts";
import type { Pulse } from "./observe/state-hash.ts";
import type { Describer } from "./snapshot/describer.ts";
import type { Markups } from "./snapshot/document-html.ts";
import type { LeftOuts } from "./snapshot/omitted-elements.ts";
import type { Shown } from "./snapshot/shown-fingerprints.ts";
import type { Walker } from "./snapshot/walker.ts";
import type { Drafts } from "./unsaved-input.ts";
import type { Calendars } from "./widgets/calendars.ts";
import type { Consents } from "./widgets/consent-banners.ts";
import type { DateFields } from "./widgets/date-fields.ts";
import type { DateTexts } from "./widgets/date-texts.ts";
import type { Lists } from "./widgets/listbox.ts";
import type { Leaving } from "./widgets/popup-dismissal.ts";

/** State that must exist before any script of the page runs: the first script creates it in every document. */
export interface DocumentState {
  readonly registry: Registry;
  readonly drafts: Drafts;
  readonly ears: Ears;
}

/** Needed by snapshots and frequent actions: sent to a document with the first call into it. */
export interface WorldParts {
  readonly describer: Describer;
  readonly geometry: Geometry;
  readonly identity: Identity;
  readonly walker: Walker;
  readonly shown: Shown;
  readonly hands: Hands;
  readonly fields: Fields;
  readonly stirs: Stirs;
}

/** Needed by rarer actions: sent to a document with the first call of one of them. */
export interface ActionParts {
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

/** Parts that the driver may call. */
export type World = DocumentState & WorldParts & ActionParts;
