/**
 * Lets the bundle `actions` use modules of the bundle `world`. It does not import them, because these modules
 * have state, and a second bundle would contain a second copy of it.
 */
import { pageGlobal } from "./page-global.ts";

export const { describer, geometry, identity, fingerprints } = pageGlobal.cairn;
