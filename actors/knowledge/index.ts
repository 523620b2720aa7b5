/**
 * The functions that the actor kind `knowledge` uses to fill a map (ingest) and to answer queries about it.
 */

export { answerQuery } from "./answer-map-query.ts";
export { answerAgent } from "./answers/answer-agent-instruction.ts";
export { listScreens } from "./answers/list-map-screens.ts";
export { AtlasCache } from "./in-memory-map-cache.ts";
export { ingest } from "./ingest/ingest-pages-and-documents.ts";
export { sketchMap } from "./read-map-for-diff.ts";
export { clickOutcomes } from "./session-clicks-compared-with-map.ts";
