/**
 * The interface of the page script (Cairn's code in a document): the parts that Cairn calls by name, and the
 * bundle that contains each of them.
 */

import type { Geometry } from "./actionability/element-geometry.ts";
import type { Actionability } from "./actionability/guarded-element-action.ts";
import type { Identity } from "./actionability/same-element-check.ts";
import type { ClipboardEvents } from "./actions/clipboard-events.ts";
import type { DragDrop } from "./actions/drag-points-and-effects.ts";
import type { FieldValues } from "./actions/field-values.ts";
import type { FieldsSentByButton } from "./actions/fields-sent-by-button.ts";
import type { FileInputs } from "./actions/file-inputs.ts";
import type { ElementSearch } from "./actions/find-elements-by-selector.ts";
import type { FormSubmission } from "./actions/form-submission.ts";
import type { Media } from "./actions/media-players.ts";
import type { TextSearch } from "./actions/visible-text-search.ts";
import type { BoxOverlay } from "./element-box-overlay.ts";
import type { DocumentChanges } from "./observe/page-changes-for-event-stream.ts";
import type { StateHash } from "./observe/page-state-hash.ts";
import type { PageMessages } from "./observe/page-status-messages.ts";
import type { PageIdle } from "./observe/temporary-obstacle-check.ts";
import type { ShownContent } from "./observe/whether-page-shows-content.ts";
import type { ScheduledWork } from "./observe/work-scheduled-by-page.ts";
import type { DocumentState } from "./page-script-document-state.ts";
import type { Describer } from "./snapshot/describe-element.ts";
import type { Fingerprints } from "./snapshot/element-fingerprints-seen-by-caller.ts";
import type { DocumentHtml } from "./snapshot/frame-document-html.ts";
import type { OmittedElements } from "./snapshot/omitted-elements.ts";
import type { Snapshots } from "./snapshot/take-frame-snapshot.ts";
import type { PopupDismissal } from "./widgets/close-widget-popup.ts";
import type { ConsentBanners } from "./widgets/consent-banners.ts";
import type { Listbox } from "./widgets/custom-listbox.ts";
import type { DateFields } from "./widgets/date-fields-without-calendar.ts";
import type { DateTexts } from "./widgets/dates-in-language-of-page.ts";
import type { Calendars } from "./widgets/read-custom-calendars.ts";

/**
 * Parts of the page script for snapshots and frequent actions. Their bundle is sent to a document when one of
 * them is called for the first time.
 */
export interface WorldParts {
  readonly describer: Describer;
  readonly geometry: Geometry;
  readonly identity: Identity;
  readonly snapshots: Snapshots;
  readonly fingerprints: Fingerprints;
  readonly actionability: Actionability;
  readonly fieldValues: FieldValues;
  readonly pageIdle: PageIdle;
  readonly scheduledWork: ScheduledWork;
}

/**
 * Parts of the page script that check what a document shows. They must work as soon as the document has
 * loaded. Their bundle is small, so that it loads fast.
 */
export interface ShownParts {
  readonly shownContent: ShownContent;
  readonly pageMessages: PageMessages;
}

/**
 * Parts of the page script for less frequent actions. Their bundle is sent to a document when one of them is
 * called for the first time.
 */
export interface ActionParts {
  readonly stateHash: StateHash;
  readonly clipboardEvents: ClipboardEvents;
  readonly dragDrop: DragDrop;
  readonly elementSearch: ElementSearch;
  readonly textSearch: TextSearch;
  readonly formSubmission: FormSubmission;
  readonly fieldsSentByButton: FieldsSentByButton;
  readonly fileInputs: FileInputs;
  readonly listbox: Listbox;
  readonly popupDismissal: PopupDismissal;
  readonly media: Media;
  readonly consentBanners: ConsentBanners;
  readonly calendars: Calendars;
  readonly dateFields: DateFields;
  readonly dateTexts: DateTexts;
  readonly documentChanges: DocumentChanges;
  readonly omittedElements: OmittedElements;
  readonly documentHtml: DocumentHtml;
  readonly boxOverlay: BoxOverlay;
}

/** All parts of the page script that Cairn may call in a document. */
export type World = DocumentState & WorldParts & ShownParts & ActionParts;
