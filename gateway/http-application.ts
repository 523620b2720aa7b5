/**
 * The HTTP application: the guard, the routes, OpenAPI, and the conversion of errors to responses. It
 * contains no business logic. `serve` makes it listen, and tests call `app.handle(request)`.
 */
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import { asCairnError, type CairnError, Refused, Unavailable } from "../machines/errors.ts";
import { actionSchema } from "../machines/session/actions/action-catalogue.ts";
import type { Config } from "./config.ts";
import { Diagrams } from "./console/chart/statechart-drawing-cache.ts";
import { consoleRoutes } from "./console/console-routes.ts";
import { failurePage, wantsPage } from "./console/console-sign-in-page.ts";
import { TrySite } from "./console/try-it/try-it-site.ts";
import { docsRoutes } from "./docs/docs-routes.ts";
import { gatewayLimits } from "./gateway-limits.ts";
import type { GatewayParts, Surface } from "./gateway-parts-shared-by-interfaces.ts";
import { mcpRoutes } from "./mcp/mcp-routes.ts";
import { nodeRoles } from "./nats-settings.ts";
import { RequestContexts } from "./request-context.ts";
import { configurationRoute } from "./rest/configuration-route.ts";
import { uploadRoute } from "./rest/document-upload-route.ts";
import { downloadRoute } from "./rest/download-route.ts";
import { failureResponse } from "./rest/error-response.ts";
import { healthRoutes } from "./rest/health-routes.ts";
import { livekitWebhook } from "./rest/livekit-webhook.ts";
import { failureComponents } from "./rest/openapi-error-components.ts";
import { resultSchemas } from "./rest/openapi-result-schemas.ts";
import { metricsRoutes } from "./rest/prometheus-route.ts";
import { screenPictureRoute } from "./rest/screen-picture-route.ts";
import { machineRoutes } from "./rest/statechart-routes.ts";
import { plainCallRoutes } from "./rest/tool-call-route.ts";
import { toolRoutes } from "./rest/tool-routes.ts";
import { ticketRoutes } from "./rest/websocket-ticket-route.ts";
import { createGuard } from "./security/accept-or-refuse-gateway-requests.ts";
import { Keys, keysOf } from "./security/api-keys.ts";
import { ConsoleSessions } from "./security/console-sign-in-session.ts";
import { FailedAuthThrottle } from "./security/failed-auth-throttle.ts";
import { PathRedaction } from "./security/file-path-redaction.ts";
import { RouteScopes } from "./security/http-route-scopes.ts";
import { RequestRates } from "./security/request-rate-limiter.ts";
import { Signer } from "./security/ticket-and-cookie-signer.ts";
import { Tickets, useAcrossNodes } from "./security/websocket-tickets.ts";
import { inspectSocket } from "./socket/actor-inspection-socket.ts";
import { dialogueSocket } from "./socket/dialogue-socket.ts";
import { eventSockets } from "./socket/event-sockets.ts";
import { viewSocket } from "./socket/live-view-socket.ts";
import { toolSocket } from "./socket/tool-socket.ts";
import { socketLimits } from "./socket/websocket-limits.ts";
import type { Tool } from "./tools/define-tool.ts";
import { ToolCalls } from "./tools/run-and-audit-tool-calls.ts";
import { version } from "./version.ts";

const REQUEST_ID = "x-request-id";

/** Returns the caller's request id if it can be logged safely, otherwise a new id. */
function requestId(request: Request): string {
  const given = request.headers.get(REQUEST_ID);
  return given !== null && /^[\w.:-]{1,100}$/.test(given) ? given : crypto.randomUUID();
}

const documentation = (tools: readonly Tool[]) => ({
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
    /**
     * The schemas are generated only when a client requests the document, because most runs of Cairn never
     * serve it.
     */
    get schemas() {
      return { ...failureComponents.schemas, BrowserAction: actionSchema(), ...resultSchemas(tools) };
    },
    responses: failureComponents.responses,
  },
});

/** Paths that every node of a cluster answers, even a node without the role `gateway`. */
const OF_EVERY_NODE: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);

export function createApp(parts: GatewayParts, config: Config) {
  const requests = new RequestContexts();
  const pathRedaction = new PathRedaction(config);
  const surface: Surface = {
    ...parts,
    requests,
    pathRedaction,
    calls: new ToolCalls(parts.system, parts.log),
    countMessage: (caller) => {
      if (keys.any) measure.takeMessage(caller);
    },
  };
  const diagrams = new Diagrams();
  const known = keysOf(config);
  const keys = new Keys(known);
  const signer = new Signer(known);
  const sessions = new ConsoleSessions(signer);
  const tickets = new Tickets(signer, useAcrossNodes(parts.system));
  const trySite = new TrySite(config.host, config.port);
  parts.sockets.beforeEnd(() => trySite.close());
  const signIn = keys.any ? { keys, sessions } : undefined;
  const guard = createGuard(config, { keys, tickets, sessions });
  const measure = new RequestRates();
  const failedAuth = new FailedAuthThrottle();
  const takesRequests = nodeRoles(config).includes("gateway");

  function routeError(code: unknown, thrown: unknown, request: Request): CairnError {
    const path = requests.get(request)?.path ?? "";
    if (code === "NOT_FOUND") {
      const allow = routeScopes().methodsAt(path);
      if (allow.length > 0) {
        return new Refused(
          "request.wrong_method",
          `${path} has no ${request.method}. It takes ${allow.join(", ")}.`,
          { status: 405, details: { allow } },
        );
      }
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
  /**
   * The scopes of the routes are read at the first request, because some routes are registered after this
   * line.
   */
  const routeScopes = (): RouteScopes => {
    scopes ??= new RouteScopes(app.routes);
    return scopes;
  };
  const app = new Elysia({
    serve: {
      idleTimeout: gatewayLimits.idleSeconds,
      // By default Elysia lets several processes listen on one port. A second Cairn would then receive half
      // of the requests of the first.
      reusePort: false,
      // `readJson` limits the size of request bodies, and its error is readable. Bun answers with an empty
      // 413 at its own limit, so Bun's limit is set too high to be reached.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    },
    websocket: {
      idleTimeout: socketLimits.silentSeconds,
      maxPayloadLength: socketLimits.readableBytes,
      // Maximum number of unsent bytes of a WebSocket. At this limit, Bun would drop messages without an
      // error. Cairn disconnects a slow reader long before that (`Connection`).
      backpressureLimit: 4 * socketLimits.unreadBytes,
    },
  })
    .onRequest(async ({ request, set, server }) => {
      const id = requestId(request);
      set.headers[REQUEST_ID] = id;
      const path = URL.parse(request.url)?.pathname;
      if (path === undefined) {
        throw new Refused("request.no_host", "The request has no valid Host header. Send one.", {
          status: 400,
        });
      }
      const startedAt = performance.now();
      requests.set(request, { id, path, startedAt, caller: undefined });
      const address = (): string | undefined => server?.requestIP(request)?.address;
      const asked = guard.check(request, path);
      const caller = await (keys.any ? failedAuth.authenticate(request, address(), asked) : asked);
      requests.set(request, { id, path, startedAt, caller });
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
      const context = requests.get(request);
      try {
        routeScopes().check(context?.caller, request.method, route);
      } catch (refused) {
        const caller = context?.caller;
        if (caller)
          surface.calls.refused(`${request.method} ${route}`, refused, { caller, requestId: context.id });
        throw refused;
      }
    })
    .onError(({ code, error: thrown, request, set }) => {
      const error = routeError(code, thrown, request);
      const request_id = requests.get(request)?.id;
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
      return wantsPage(request)
        ? failurePage(error, request, pathRedaction)
        : failureResponse(error, pathRedaction);
    })
    .onAfterResponse(({ request, responseValue, set }) => {
      const context = requests.get(request);
      if (!context) return;
      const status = responseValue instanceof Response ? responseValue.status : set.status;
      const level = request.method === "GET" ? "debug" : "info";
      surface.log[level]("request", {
        request_id: context.id,
        ...(context.caller ? { caller: context.caller.name } : {}),
        method: request.method,
        path: context.path,
        status,
        ms: Math.round(performance.now() - context.startedAt),
      });
    })
    .use(healthRoutes(surface))
    .use(plainCallRoutes(surface))
    .use(mcpRoutes(surface, config))
    .use(toolRoutes(surface))
    .use(downloadRoute(surface))
    .use(screenPictureRoute(surface))
    .use(uploadRoute(surface))
    .use(metricsRoutes(surface))
    .use(livekitWebhook(surface))
    .use(machineRoutes(surface, diagrams))
    .use(configurationRoute(surface, config, parts.sources))
    .use(consoleRoutes({ surface, signIn, trySite }))
    .use(docsRoutes())
    .use(ticketRoutes(surface, tickets))
    .use(inspectSocket(surface))
    .use(eventSockets(surface))
    .use(toolSocket(surface))
    .use(viewSocket(surface))
    .use(dialogueSocket(surface))
    .use(
      openapi({
        provider: null,
        specPath: "/openapi.json",
        openapiVersion: "3.1.1",
        // If no API keys are configured, the OpenAPI document allows requests without a key, and also
        // requests with any key.
        documentation: {
          ...documentation(parts.registry.all),
          security: !keys.any ? [{}, { apiKey: [] }] : [{ apiKey: [] }],
        },
      }),
    );
  return app;
}

export type App = ReturnType<typeof createApp>;
