/**
 * State that the first script keeps from before any script of the page. The other bundles take it from the page global,
 * so that each document has exactly one copy of it.
 */
import { pageGlobal } from "./page-global.ts";

export const { registry, unsavedInput, eventTap } = pageGlobal.cairn;
