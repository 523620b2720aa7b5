/**
 * Tests that the advice in an error of a tool names other tools and no REST routes, because an MCP client cannot call
 * routes.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(60_000);

const cairn = await cairnOfTests();

test.each([
  ["get_exploration_status", { job_id: "none" }, "list_explorations"],
  ["describe_knowledge", { knowledge_id: "none" }, "list_knowledge"],
  ["list_sources", { knowledge_id: "none" }, "list_knowledge"],
  ["get_navigation_result", { run_id: "none" }, "start_navigation"],
  ["get_recording", { recording_id: "none" }, "list_recordings"],
  ["get_dialogue", { dialogue_id: "none" }, "start_dialogue"],
  ["get_browser_context", { room_name: "none" }, "start_browser_session"],
  ["get_actor", { kind: "walk", id: "none" }, "list_actors"],
])(
  "the error of %s for an unknown id names a tool that returns or creates such ids",
  async (tool, args, advised) => {
    const { status, body } = await cairn.call(tool, args);
    expect([status, body.error.message]).toEqual([404, expect.stringContaining(advised)]);
    expect(body.error.message).not.toContain("/api/");
  },
);

test("the error of query_knowledge states which parameter is missing", async () => {
  const { status, body } = await cairn.call("query_knowledge", { query_type: "page", params: {} });
  expect([status, body.error]).toEqual([
    422,
    expect.objectContaining({ code: "knowledge.invalid_params", message: "params.url is needed" }),
  ]);
});
