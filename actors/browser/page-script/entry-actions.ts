/** Entry of the actions bundle, which rarer actions need. It runs once in a document, after the world bundle. */
import { clip } from "./actions/clipboard-events.ts";
import { drags } from "./actions/drag-drop.ts";
import { uploads } from "./actions/file-inputs.ts";
import { forms } from "./actions/form-submission.ts";
import { media } from "./actions/media-players.ts";
import { texts } from "./actions/text-search.ts";
import { overlay } from "./box-overlay.ts";
import { watch } from "./observe/document-changes.ts";
import { pulse } from "./observe/state-hash.ts";
import { pageGlobal } from "./page-global.ts";
import { markups } from "./snapshot/document-html.ts";
import { leftOuts } from "./snapshot/omitted-elements.ts";
import { calendars } from "./widgets/calendars.ts";
import { consents } from "./widgets/consent-banners.ts";
import { dateFields } from "./widgets/date-fields.ts";
import { dateTexts } from "./widgets/date-texts.ts";
import { lists } from "./widgets/listbox.ts";
import { leaving } from "./widgets/popup-dismissal.ts";
import type { ActionParts } from "./world.ts";

const parts: ActionParts = {
  pulse,
  clip,
  drags,
  texts,
  forms,
  uploads,
  lists,
  leaving,
  media,
  consents,
  calendars,
  dateFields,
  dateTexts,
  watch,
  leftOuts,
  markups,
  overlay,
};
Object.assign(pageGlobal.cairn, parts);
