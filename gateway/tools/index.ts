/** The list of all tools, which every interface reads. A new file of tools is added here. */

import { operationsTools } from "./actor-and-node-administration-tools.ts";
import { controlTools } from "./control-handover-tools.ts";
import { dialogueTools } from "./dialogue-tools.ts";
import { explorationTools } from "./exploration-tools.ts";
import { documentTools } from "./ingested-document-tools.ts";
import { knowledgeTools } from "./map-tools.ts";
import { navigationTools } from "./navigation-run-tools.ts";
import { operatorTools } from "./operator-tools.ts";
import { sessionOutputTools } from "./session-content-and-log-tools.ts";
import { sessionPageTools } from "./session-page-tools.ts";
import { recordingTools } from "./session-recording-tools.ts";
import { sessionTools } from "./session-tools.ts";
import { ToolRegistry } from "./tool-registry.ts";

/** All tools, with their exact types. Typed clients derive their routes from these types. */
export const allTools = [
  ...explorationTools,
  ...knowledgeTools,
  ...documentTools,
  ...sessionTools,
  ...sessionPageTools,
  ...controlTools,
  ...recordingTools,
  ...dialogueTools,
  ...navigationTools,
  ...sessionOutputTools,
  ...operationsTools,
  ...operatorTools,
];

export const tools = new ToolRegistry(allTools);
