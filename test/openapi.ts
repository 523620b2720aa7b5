/**
 * `npm run openapi` writes the files that are generated from the tools: `gateway/openapi.yaml`, which equals
 * `GET /openapi.json` of a Cairn without a key, and the guide's page of tools. `test/gateway/openapi.test.ts`
 * compares both files with the tools.
 */
import { join } from "node:path";
import { toolReference } from "../gateway/docs/write-guide-page-of-tools.ts";
import { tools } from "../gateway/tools/index.ts";
import { testGateway } from "./gateway/test-gateway.ts";

export const OPENAPI_FILE = join(import.meta.dir, "../gateway/openapi.yaml");
export const TOOLS_PAGE = join(import.meta.dir, "../gateway/docs/guide/tools.md");

const HEAD = "# Written by `npm run openapi`: GET /openapi.json as YAML.\n";

/** Returns the body of `GET /openapi.json`. */
export async function openApiDocument(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await testGateway().call("GET", "/openapi.json");
  return body;
}

/** Returns the OpenAPI document as YAML. The OpenAPI version is its first line. */
export async function openApiYaml(): Promise<string> {
  const { openapi, ...rest } = await openApiDocument();
  return `${HEAD}${Bun.YAML.stringify({ openapi, ...rest }, null, 2)}\n`;
}

if (import.meta.main) {
  await Bun.write(OPENAPI_FILE, await openApiYaml());
  await Bun.write(TOOLS_PAGE, toolReference(tools));
  console.log(`${OPENAPI_FILE}\n${TOOLS_PAGE}`);
  process.exit(0);
}
