/**
 * All tools of this Cairn: the one list that every surface is made from. A new family adds a line here.
 */
import { explorationTools } from "./explorations.ts";
import { knowledgeTools } from "./knowledge.ts";
import { operationsTools } from "./operations.ts";
import { recordingTools } from "./recordings.ts";
import { ToolRegistry } from "./registry.ts";
import { resultTools } from "./results.ts";
import { sessionOutputTools } from "./session-outputs.ts";
import { sessionTools } from "./sessions.ts";
import { waitingTools } from "./waiting.ts";

export const tools = new ToolRegistry([
  ...explorationTools,
  ...waitingTools,
  ...knowledgeTools,
  ...sessionTools,
  ...resultTools,
  ...recordingTools,
  ...sessionOutputTools,
  ...operationsTools,
]);
