/**
 * Gives the page script's bundle `actions` access to modules of its bundle `world`. The bundle `actions` does
 * not import these modules: the modules have state, and an import would create a second copy of it.
 */
import { pageGlobal } from "./page-script-global.ts";

export const { describer, geometry, identity, fingerprints } = pageGlobal.cairn;
