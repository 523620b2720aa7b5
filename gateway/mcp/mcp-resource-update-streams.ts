/**
 * The streams of MCP's 2026 revision (`subscriptions/listen`). A resource is watched only once, even if several open
 * streams name it. The MCP library sends a change to the streams that requested it.
 */

import { readJson } from "../rest/request-body.ts";
import type { StartingSystem } from "../running-system-for-waiting-requests.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { Subscriptions } from "./mcp-resource-subscriptions.ts";

export const LISTEN_METHOD = "subscriptions/listen";

/**
 * Returns the resources that a message requests; empty for an invalid message, which the MCP library reports.
 */
export function requestedUris(message: unknown): readonly string[] {
  // Any client can send this message, so the cast proves nothing. Each field is checked before use.
  const request = message as
    | { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } }
    | undefined;
  const uriList = request?.params?.notifications?.resourceSubscriptions;
  const uris = Array.isArray(uriList) ? uriList.filter((uri): uri is string => typeof uri === "string") : [];
  return [...new Set(uris)].slice(0, mcpLimits.watchedResources);
}

/** Returns the resources that a request asks to watch; empty for other requests. */
async function urisOf(request: Request): Promise<readonly string[]> {
  if (request.headers.get("mcp-method") !== LISTEN_METHOD) return [];
  return requestedUris(await readJson(request.clone()).catch(() => undefined));
}

export class ListenStreams {
  readonly #system: StartingSystem;
  readonly #subscriptions: Subscriptions;
  readonly #streams = new Map<string, number>();

  constructor(system: StartingSystem, changed: (uri: string) => void) {
    this.#system = system;
    this.#subscriptions = new Subscriptions(changed, mcpLimits.listenStreams);
  }

  /** Subscribes to changes of the resources until the returned function is called. */
  async watch(uris: readonly string[]): Promise<() => void> {
    const watched = await this.#begin(uris);
    let ended = false;
    return () => {
      if (!ended) for (const uri of watched) this.#leave(uri);
      ended = true;
    };
  }

  /** Watches the resources of a request until the stream of its response ends. */
  async watchDuring(request: Request, answer: () => Promise<Response>): Promise<Response> {
    const uris = await urisOf(request);
    const response = await answer();
    if (uris.length === 0 || !response.ok || !response.body) return response;
    const end = await this.watch(uris);
    request.signal.addEventListener("abort", end, { once: true });
    return new Response(notifyAtEnd(response.body, end), response);
  }

  async #begin(uris: readonly string[]): Promise<readonly string[]> {
    const cairn = await this.#system.available();
    return uris.filter((uri) => {
      try {
        this.#subscriptions.add(cairn, uri);
      } catch {
        // This resource has no events. The client may still listen to it, but the stream then reports no
        // changes of it.
        return false;
      }
      this.#streams.set(uri, (this.#streams.get(uri) ?? 0) + 1);
      return true;
    });
  }

  #leave(uri: string): void {
    const others = (this.#streams.get(uri) ?? 1) - 1;
    this.#streams.set(uri, others);
    if (others > 0) return;
    this.#streams.delete(uri);
    this.#subscriptions.remove(uri);
  }
}

/** Copies a stream, and calls `ended` when the stream ends or its reader cancels it. */
function notifyAtEnd(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
}
