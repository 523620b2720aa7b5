/** The page script's own global in the isolated world of a document. Pages can neither see nor reach that world. */
import type { DocumentState, World } from "./world.ts";

export const pageGlobal = globalThis as unknown as { cairn: DocumentState & World };
