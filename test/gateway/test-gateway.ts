/** A gateway on a system in memory. Tests call it directly, without a network port. */

import { loadConfig } from "../../gateway/config.ts";
import { createApp } from "../../gateway/http-application.ts";
import { createLog } from "../../gateway/log.ts";
import { OptionalParts } from "../../gateway/optional-gateway-parts.ts";
import { StartingSystem } from "../../gateway/running-system-for-waiting-requests.ts";
import { OpenSockets } from "../../gateway/socket/open-websockets.ts";
import { tools } from "../../gateway/tools/index.ts";
import type { ToolRegistry } from "../../gateway/tools/tool-registry.ts";
import { MemoryCairn } from "./fake-cairn-for-tests.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; a test fails when the shape differs
  readonly body: any;
}

export interface TestGateway {
  readonly cairn: MemoryCairn;
  readonly slot: StartingSystem;
  readonly sockets: OpenSockets;
  readonly app: ReturnType<typeof createApp>;
  readonly logged: string[];
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

interface TestGatewayOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** If true, the gateway starts without an actor system, as during the start of Cairn. */
  readonly starting?: boolean;
  readonly patience?: number;
  /** The tools of the gateway; by default, all tools. */
  readonly registry?: ToolRegistry;
}

export function testGateway(options: TestGatewayOptions = {}): TestGateway {
  const { config } = loadConfig({ CAIRN_LOG_LEVEL: "debug", ...options.env });
  const logged: string[] = [];
  const log = createLog(config, { write: (line) => logged.push(line) });
  const slot = new StartingSystem(options.patience);
  const sockets = new OpenSockets();
  const cairn = new MemoryCairn();
  if (!options.starting) slot.fill(cairn);
  const app = createApp(
    {
      system: slot,
      registry: options.registry ?? tools,
      sockets,
      log,
      optional: new OptionalParts(),
      instance: "test",
    },
    config,
  );
  return {
    cairn,
    slot,
    sockets,
    app,
    logged,
    async call(method, path, body, headers = {}) {
      const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
      const request = new Request(`http://127.0.0.1:8000${path}`, {
        method,
        headers: {
          host: "127.0.0.1:8000",
          ...(text === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      });
      const response = await app.handle(request);
      const answer = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: answer === "" ? undefined : JSON.parse(answer),
      };
    },
  };
}
