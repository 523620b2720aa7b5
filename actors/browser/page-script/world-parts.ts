/**
 * Parts of the world bundle for modules of the actions bundle. They hold state, so the actions bundle must not import
 * their modules: it would get a second copy of them.
 */
import { pageGlobal } from "./page-global.ts";

export const { describer, geometry, identity, fingerprints } = pageGlobal.cairn;
