/** The tools of navigation runs, which answer a question from web pages, with sources. */

import { z } from "zod";
import {
  navigationResultSchema,
  navigationStartedSchema,
  runIdSchema,
  startNavigationSchema,
} from "../../machines/navigation/navigation-run-schemas.ts";
import { defineTool } from "./define-tool.ts";
import { changesData, readsData } from "./tool-annotations.ts";

const runRef = z.object({ run_id: runIdSchema }).strict();
const visits = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
/** Parameters that are omitted when the tool is listed for a model, because they are long and rarely used. */
const brief = { hidden: ["login", "session_id", "use_smart_navigation", "run_id"] };

const startNavigation = defineTool({
  name: "start_navigation",
  scope: "act",
  description:
    "Start a navigation run: visit pages from the seed links, decide at each whether to read it, to follow its links " +
    "or to stop. Answers at once; follow it with get_navigation_result",
  sets: ["navigation"],
  http: {
    method: "POST",
    path: "/api/navigate",
    operationId: "startNavigation",
    tag: "Navigation",
    errors: [404, 409, 422],
  },
  brief,
  input: startNavigationSchema,
  output: navigationStartedSchema,
  annotations: visits,
  handle: (cairn, input, { commandId }) => cairn.navigation.start(input, commandId),
});

const navigateWithIntent = defineTool({
  name: "navigate_with_intent",
  scope: "act",
  description:
    "Put a question to the web: visits pages from the seed links, decides at each, and returns the articles and " +
    "threads that fit the prompt with a summary and its sources. Waits for the end, with progress",
  sets: ["navigation"],
  brief,
  input: startNavigationSchema,
  output: navigationResultSchema,
  annotations: visits,
  subject: ({ run_id }) => (typeof run_id === "string" ? `navigation/${run_id}` : undefined),
  handle: async (cairn, input, { commandId, signal, progress }) => {
    const { run_id } = await cairn.navigation.start(input, commandId);
    return await cairn.navigation.wait(run_id, { signal, progress });
  },
});

const getNavigationResult = defineTool({
  name: "get_navigation_result",
  scope: "read",
  description:
    "What a navigation run has found so far or in the end: articles with posts, decisions, usage, summary",
  sets: ["navigation"],
  http: {
    method: "GET",
    path: "/api/navigate/:run_id",
    operationId: "getNavigationResult",
    tag: "Navigation",
    errors: [404, 422],
  },
  input: runRef,
  output: navigationResultSchema,
  annotations: readsData,
  subject: ({ run_id }) => `navigation/${String(run_id)}`,
  handle: (cairn, { run_id }) => cairn.navigation.result(run_id),
});

const cancelNavigation = defineTool({
  name: "cancel_navigation",
  scope: "act",
  description: "Cancel a navigation run; what it has found stays",
  sets: ["navigation"],
  http: {
    method: "POST",
    path: "/api/navigate/:run_id/cancel",
    operationId: "cancelNavigation",
    tag: "Navigation",
    errors: [404, 422],
  },
  input: runRef,
  output: navigationStartedSchema,
  annotations: changesData,
  subject: ({ run_id }) => `navigation/${String(run_id)}`,
  handle: (cairn, { run_id }) => cairn.navigation.cancel(run_id),
});

export const navigationTools = [startNavigation, navigateWithIntent, getNavigationResult, cancelNavigation];
