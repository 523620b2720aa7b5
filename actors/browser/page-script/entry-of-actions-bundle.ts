/**
 * The entry module of the page script's bundle `actions`, which contains less frequent actions. It runs once
 * in a document, after the bundle `world`.
 */
import { clipboardEvents } from "./actions/clipboard-events.ts";
import { dragDrop } from "./actions/drag-points-and-effects.ts";
import { fieldsSentByButton } from "./actions/fields-sent-by-button.ts";
import { fileInputs } from "./actions/file-inputs.ts";
import { elementSearch } from "./actions/find-elements-by-selector.ts";
import { formSubmission } from "./actions/form-submission.ts";
import { media } from "./actions/media-players.ts";
import { textSearch } from "./actions/visible-text-search.ts";
import { boxOverlay } from "./element-box-overlay.ts";
import { documentChanges } from "./observe/page-changes-for-event-stream.ts";
import { stateHash } from "./observe/page-state-hash.ts";
import { pageGlobal } from "./page-script-global.ts";
import type { ActionParts } from "./page-script-interface.ts";
import { documentHtml } from "./snapshot/frame-document-html.ts";
import { omittedElements } from "./snapshot/omitted-elements.ts";
import { popupDismissal } from "./widgets/close-widget-popup.ts";
import { consentBanners } from "./widgets/consent-banners.ts";
import { listbox } from "./widgets/custom-listbox.ts";
import { dateFields } from "./widgets/date-fields-without-calendar.ts";
import { dateTexts } from "./widgets/dates-in-language-of-page.ts";
import { calendars } from "./widgets/read-custom-calendars.ts";

const parts: ActionParts = {
  stateHash,
  clipboardEvents,
  dragDrop,
  elementSearch,
  textSearch,
  formSubmission,
  fieldsSentByButton,
  fileInputs,
  listbox,
  popupDismissal,
  media,
  consentBanners,
  calendars,
  dateFields,
  dateTexts,
  documentChanges,
  omittedElements,
  documentHtml,
  boxOverlay,
};
Object.assign(pageGlobal.cairn, parts);
