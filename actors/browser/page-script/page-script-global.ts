/**
 * The global of the page script in the isolated world of a document. Pages cannot see or reach that world.
 */
import type { World } from "./page-script-interface.ts";

export const pageGlobal = globalThis as unknown as { cairn: World };
