/**
 * Gives the page script's bundle `actions` access to modules of its bundle `world`. The bundle `actions` does
 * not import these modules: they have state, and it would get a second copy of them.
 */
import { pageGlobal } from "./page-script-global.ts";

export const { describer, geometry, identity, fingerprints } = pageGlobal.cairn;
