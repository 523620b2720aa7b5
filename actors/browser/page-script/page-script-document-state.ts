/**
 * Creates the state of a document before any script of the page runs. It is stored in the page script's
 * global, so that all bundles of a document share one copy.
 */
import { pageGlobal } from "./page-script-global.ts";

export const { registry, unsavedInput, eventTap } = pageGlobal.cairn;
