/**
 * `GET /api/configuration`: returns every setting with its value, as `cairn doctor` prints it. Secrets are
 * masked.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import { type Config, type LoadedConfig, settings, shownValue } from "../config.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { version } from "../version.ts";
import { operation, outputSchemaOf } from "./openapi-operation.ts";

const configurationSchema = z.object({
  version: z.string(),
  runtime: z.record(z.string(), z.string()).describe("Versions of what Cairn runs on"),
  settings: z.array(
    z.object({
      name: z.string().describe("The environment variable"),
      value: z.string().describe("Empty: not set. Secrets are masked, and paths named by their settings"),
      source: z.enum(["default", "environment", "file", "unknown"]),
      description: z.string(),
    }),
  ),
});

export function configurationRoute(
  { pathRedaction }: Surface,
  config: Config,
  sources: LoadedConfig["sources"] | undefined,
) {
  return new Elysia({ name: "configuration" }).get(
    "/api/configuration",
    () => {
      const { bun, node } = process.versions;
      const body: z.infer<typeof configurationSchema> = {
        version,
        runtime: bun === undefined ? { node } : { bun },
        settings: settings.map((setting) => ({
          name: setting.env,
          value: pathRedaction.hide(shownValue(setting, config)),
          source: sources?.[setting.name] ?? "unknown",
          description: setting.description,
        })),
      };
      return Response.json(body);
    },
    {
      ...operation({
        operationId: "getConfiguration",
        summary: "Every setting with its value and where it comes from; secrets are masked",
        tag: "Operations",
        scope: "admin",
        answer: outputSchemaOf(configurationSchema),
        errors: [401, 403],
      }),
    },
  );
}
