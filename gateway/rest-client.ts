/**
 * A typed client of the REST API for TypeScript programs that have Cairn's source. It is Eden's treaty
 * client, typed by the application's routes, so a call that does not match a route does not compile. Other
 * programs generate a client from `openapi.yaml`.
 */
import { type Treaty, treaty } from "@elysiajs/eden";
import type { App } from "./http-application.ts";

export type CairnClient = Treaty.Create<App>;

export interface ClientOptions {
  /** The API key, if the gateway requires one (`CAIRN_API_KEY`). */
  readonly apiKey?: string;
}

/** @param url address of the gateway, such as `http://127.0.0.1:8000` */
export function cairnClient(url: string, { apiKey }: ClientOptions = {}): CairnClient {
  return treaty<App>(url, {
    // The client does not convert dates in answers to `Date` objects, because the types of the routes state
    // that they are strings.
    parseDate: false,
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
  });
}
