/**
 * Gives the bundle `actions` access to parts of the bundle `world`. These parts have state, so importing
 * their modules into the second bundle would create a second copy of the state.
 */
import { pageGlobal } from "./page-global.ts";

export const { describer, geometry, identity, fingerprints } = pageGlobal.cairn;
