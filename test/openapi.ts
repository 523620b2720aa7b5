/**
 * `npm run openapi`: writes `gateway/openapi.yaml`, the document of `GET /openapi.json` for whoever has no Cairn at hand.
 *
 * It is that of a Cairn without a key. `test/gateway/openapi.test.ts` holds the file to it.
 */
import { join } from "node:path";
import { testGateway } from "./gateway/test-gateway.ts";

export const OPENAPI_FILE = join(import.meta.dir, "../gateway/openapi.yaml");

const HEAD = "# Written by `npm run openapi`: GET /openapi.json as YAML.\n";

/** What `GET /openapi.json` answers. */
export async function openApiDocument(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await testGateway().call("GET", "/openapi.json");
  return body;
}

/** The same as YAML, with its version first. */
export async function openApiYaml(): Promise<string> {
  const { openapi, ...rest } = await openApiDocument();
  return `${HEAD}${Bun.YAML.stringify({ openapi, ...rest }, null, 2)}\n`;
}

if (import.meta.main) {
  await Bun.write(OPENAPI_FILE, await openApiYaml());
  console.log(OPENAPI_FILE);
  process.exit(0);
}
