/**
 * The functions that the actor kind `knowledge` uses to fill a map (ingest) and to answer queries about it.
 */
export { answerAgent } from "./answer-agent-instruction.ts";
export { AtlasCache } from "./in-memory-map-cache.ts";
export { ingest } from "./ingest/ingest-pages-and-documents.ts";
export { listScreens } from "./list-map-screens.ts";
export { answerQuery } from "./map-query.ts";
export { sketchMap } from "./read-map-for-diff.ts";
export { clickOutcomes } from "./session-clicks-compared-with-map.ts";
