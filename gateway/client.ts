/**
 * A typed client of Cairn's REST surface for programs in TypeScript that have its source: Eden, on the type of the routes.
 *
 * Paths, arguments and answers are those of the routes and their tools (`rest/operation.ts`), so what does not fit does not
 * compile. Others make a client from `openapi.yaml`.
 */
import { type Treaty, treaty } from "@elysiajs/eden";
import type { App } from "./app.ts";

export type CairnClient = Treaty.Create<App>;

export interface ClientOptions {
  /** A value of `CAIRN_API_KEY` where one is asked for. */
  readonly apiKey?: string;
}

/** @param url where Cairn listens, such as `http://127.0.0.1:8000` */
export function cairnClient(url: string, { apiKey }: ClientOptions = {}): CairnClient {
  return treaty<App>(url, {
    // Moments are texts, as the types say.
    parseDate: false,
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
  });
}
