/** A map's intake and its answers; bound to the machine and the store in `actors/knowledge.ts`. */
export { type AgentQuestion, answerAgent } from "./agent.ts";
export { AtlasCache } from "./atlas-cache.ts";
export { ingest } from "./ingest.ts";
export { answerQuery } from "./query.ts";
export { listScreens, type ScreensQuestion } from "./screens.ts";
