/**
 * The tool of results that were too large to travel with their announcement (`result_ready`).
 */
import { z } from "zod";
import { addressLimits } from "../../machines/runtime/limits.ts";
import { defineTool } from "./registry.ts";

export const getResult = defineTool({
  name: "get_result",
  scope: "read",
  description: "Get a large result by the result_id of its result_ready event; kept for an hour",
  input: z
    .object({
      result_id: z
        .string()
        .min(1)
        .max(2 * addressLimits.maxIdBytes)
        .describe("Of result_ready"),
    })
    .strict(),
  output: z.record(z.string(), z.unknown()).describe("As the call answered whose result it is"),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handle: (cairn, { result_id }) => cairn.result(result_id),
});

export const resultTools = [getResult];
