/**
 * The functions that the actor kind `knowledge` uses to fill a map (ingest) and to answer queries about it.
 */
export { answerAgent } from "./agent-query.ts";
export { AtlasCache } from "./atlas-cache.ts";
export { clickOutcomes } from "./click-outcomes.ts";
export { ingest } from "./ingest/ingest.ts";
export { sketchMap } from "./map-diff-rows.ts";
export { answerQuery } from "./map-query.ts";
export { listScreens } from "./screen-reader.ts";
