/**
 * The HTTP application: the guard before everything, the routes, OpenAPI, and one way for errors to go out.
 *
 * It has no logic of its own. `serve` (in `commands/`) makes it listen; tests call `app.handle(request)`.
 */
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import { asCairnError, type CairnError, Refused, Unavailable } from "../machines/errors.ts";
import type { Config } from "./config.ts";
import { Diagrams } from "./console/chart/diagrams.ts";
import { consoleRoutes } from "./console/routes.ts";
import { failurePage, wantsPage } from "./console/sign-in.ts";
import { docsRoutes } from "./docs/routes.ts";
import { gatewayLimits } from "./limits.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { nodeRoles } from "./nats-settings.ts";
import { Passages } from "./passages.ts";
import { auditRoutes } from "./rest/audit.ts";
import { backupRoutes } from "./rest/backups.ts";
import { explorationRoutes } from "./rest/explorations.ts";
import { failureResponse } from "./rest/failure.ts";
import { failureComponents } from "./rest/failure-responses.ts";
import { healthRoutes } from "./rest/health.ts";
import { knowledgeRoutes } from "./rest/knowledge.ts";
import { machineRoutes } from "./rest/machines.ts";
import { metricsRoutes } from "./rest/metrics.ts";
import type { Parts, Surface } from "./rest/operation.ts";
import { operationsRoutes } from "./rest/operations.ts";
import { recordingRoutes } from "./rest/recordings.ts";
import { resultRoutes } from "./rest/results.ts";
import { secretRoutes } from "./rest/secrets.ts";
import { sessionFileRoutes } from "./rest/session-files.ts";
import { sessionRoutes } from "./rest/sessions.ts";
import { ticketRoutes } from "./rest/tickets.ts";
import { toolRoutes } from "./rest/tools.ts";
import { createGuard, type GuardConfig } from "./security/guard.ts";
import { Keys, keysOf } from "./security/keys.ts";
import { Measure } from "./security/measure.ts";
import { Places, type PlacesConfig } from "./security/places.ts";
import { Proofs } from "./security/proofs.ts";
import { RouteScopes } from "./security/routes.ts";
import { Sessions } from "./security/session.ts";
import { Strangers } from "./security/strangers.ts";
import { Tickets, useAcrossNodes } from "./security/tickets.ts";
import { eventSockets } from "./socket/events.ts";
import { inspectSocket } from "./socket/inspect.ts";
import { socketLimits } from "./socket/limits.ts";
import { Calls } from "./tools/calls.ts";
import { version } from "./version.ts";

export const REQUEST_ID = "x-request-id";

/** The caller's own id when it is one that can stand in a log line, else a new one. */
function requestId(request: Request): string {
  const given = request.headers.get(REQUEST_ID);
  return given !== null && /^[\w.:-]{1,100}$/.test(given) ? given : crypto.randomUUID();
}

const documentation = {
  info: {
    title: "Cairn",
    version,
    description: "Explores web applications, keeps a map of them, and tells agents the way.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  tags: [
    { name: "Explorations", description: "Walk a website and store what is found" },
    { name: "Knowledge", description: "Ask what was stored, and ask the way" },
    { name: "Sessions", description: "Browsers of rooms: what they tell, and their files" },
    { name: "Tools", description: "The same, as tools for agents" },
    { name: "Operations", description: "The runtime itself: actors, dead letters, nodes, metrics" },
    { name: "Service", description: "Health, readiness, backups" },
  ],
  components: {
    securitySchemes: { apiKey: { type: "http" as const, scheme: "bearer" } },
    ...failureComponents,
  },
};

/** What a node answers that is not there to take requests. */
const OF_EVERY_NODE: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);

type AppConfig = GuardConfig &
  PlacesConfig &
  Pick<Config, "dataDir" | "natsUrl" | "roles" | "tools" | "mcpConformance">;

export function createApp(parts: Parts, config: AppConfig) {
  const passages = new Passages();
  const places = new Places(config);
  const surface: Surface = { ...parts, passages, places, calls: new Calls(parts.system, parts.log) };
  const diagrams = new Diagrams();
  const known = keysOf(config);
  const keys = new Keys(known);
  const proofs = new Proofs(known);
  const sessions = new Sessions(proofs);
  const tickets = new Tickets(proofs, useAcrossNodes(parts.system));
  const signIn = keys.any ? { keys, sessions } : undefined;
  const guard = createGuard(config, { keys, tickets, sessions });
  const measure = new Measure();
  const strangers = new Strangers();
  const takesRequests = nodeRoles(config).includes("gateway");

  function routeError(code: unknown, thrown: unknown, request: Request): CairnError {
    const path = passages.of(request)?.path ?? "";
    if (code === "NOT_FOUND") {
      return new Refused(
        "request.not_found",
        `Cairn has no ${request.method} ${path}. GET /openapi.json lists what there is.`,
        { status: 404 },
      );
    }
    if (code === "PARSE")
      return new Refused("request.bad_json", "The request cannot be read.", { cause: thrown });
    return asCairnError(thrown);
  }

  let scopes: RouteScopes | undefined;
  const app = new Elysia({
    serve: {
      idleTimeout: gatewayLimits.idleSeconds,
      // `readJson` holds the limit and says so; Bun's own refusal would be an empty 413.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    },
    websocket: {
      idleTimeout: socketLimits.silentSeconds,
      maxPayloadLength: socketLimits.messageBytes,
      // `Connection` closes long before: what is over this would be dropped without a word.
      backpressureLimit: 4 * socketLimits.unreadBytes,
    },
  })
    .onRequest(async ({ request, set, server }) => {
      const id = requestId(request);
      const path = new URL(request.url).pathname;
      const startedAt = performance.now();
      passages.note(request, { id, path, startedAt, caller: undefined });
      set.headers[REQUEST_ID] = id;
      const address = (): string | undefined => server?.requestIP(request)?.address;
      const asked = guard.check(request, path);
      const caller = await (keys.any ? strangers.heard(request, address(), asked) : asked);
      passages.note(request, { id, path, startedAt, caller });
      if (keys.any) {
        measure.take({ caller, method: request.method, path, address, headers: set.headers });
      }
      if (!takesRequests && !OF_EVERY_NODE.has(path)) {
        throw new Unavailable(
          "gateway.not_here",
          "This node has not the role gateway: ask one that has. Here only /health, /ready and /metrics are answered.",
        );
      }
      const cors = guard.corsHeaders(request);
      Object.assign(set.headers, cors);
      if (request.method === "OPTIONS" && cors["access-control-allow-origin"]) {
        return new Response(null, { status: 204, headers: { ...cors, [REQUEST_ID]: id } });
      }
    })
    .onTransform(({ request, route }) => {
      scopes ??= new RouteScopes(app.routes);
      const passage = passages.of(request);
      try {
        scopes.check(passage?.caller, request.method, route);
      } catch (refused) {
        const caller = passage?.caller;
        if (caller)
          surface.calls.refused(`${request.method} ${route}`, refused, { caller, requestId: passage.id });
        throw refused;
      }
    })
    .onError(({ code, error: thrown, request, set }) => {
      const error = routeError(code, thrown, request);
      const request_id = passages.of(request)?.id;
      if (error.status === 500)
        surface.log.error("a request failed", { request_id, code: error.code, error });
      else if (error.status > 500) {
        surface.log.warn("a request could not be served", {
          request_id,
          code: error.code,
          reason: error.message,
        });
      }
      set.status = error.status;
      return wantsPage(request) ? failurePage(error, request, places) : failureResponse(error, places);
    })
    .onAfterResponse(({ request, responseValue, set }) => {
      const passage = passages.of(request);
      if (!passage) return;
      const status = responseValue instanceof Response ? responseValue.status : set.status;
      const level = request.method === "GET" ? "debug" : "info";
      surface.log[level]("request", {
        request_id: passage.id,
        ...(passage.caller ? { caller: passage.caller.name } : {}),
        method: request.method,
        path: passage.path,
        status,
        ms: Math.round(performance.now() - passage.startedAt),
      });
    })
    .use(healthRoutes(surface))
    .use(toolRoutes(surface))
    .use(mcpRoutes(surface, config))
    .use(explorationRoutes(surface))
    .use(knowledgeRoutes(surface))
    .use(sessionRoutes(surface))
    .use(sessionFileRoutes(surface))
    .use(secretRoutes(surface))
    .use(operationsRoutes(surface))
    .use(auditRoutes(surface))
    .use(metricsRoutes(surface))
    .use(backupRoutes(surface, config.dataDir))
    .use(machineRoutes(surface, diagrams))
    .use(resultRoutes(surface))
    .use(recordingRoutes(surface))
    .use(consoleRoutes({ surface, diagrams, signIn }))
    .use(docsRoutes())
    .use(ticketRoutes(surface, tickets))
    .use(inspectSocket(surface))
    .use(eventSockets(surface))
    .use(
      openapi({
        provider: null,
        specPath: "/openapi.json",
        openapiVersion: "3.1.1",
        // Without a key of its own it takes any, and none.
        documentation: {
          ...documentation,
          security: !keys.any ? [{}, { apiKey: [] }] : [{ apiKey: [] }],
        },
      }),
    );
  return app;
}

export type App = ReturnType<typeof createApp>;
