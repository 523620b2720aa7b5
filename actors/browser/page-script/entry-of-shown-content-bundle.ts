/**
 * The entry module of the page script's bundle that finds out what a document shows. It runs before the large
 * bundles are loaded, and must stay small.
 */

import { pageMessages } from "./observe/page-status-messages.ts";
import { shownContent } from "./observe/whether-page-shows-content.ts";
import { pageGlobal } from "./page-script-global.ts";
import type { ShownParts } from "./page-script-interface.ts";

const parts: ShownParts = { shownContent, pageMessages };
Object.assign(pageGlobal.cairn, parts);
