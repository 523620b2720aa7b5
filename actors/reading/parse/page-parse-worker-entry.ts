/**
 * The entry of the thread that `page-parse-worker.ts` starts. It receives a document and returns the page as
 * JSON.
 *
 * It collects garbage before and after each reply, because a document of 2.5 MB leaves about 40 MB of
 * garbage.
 */
import { collectGarbage } from "../../runtime/platform.ts";
import { type PageSource, readPage } from "../content/extract-page-from-html.ts";

// In a worker thread, `self` is the global object of the worker. TypeScript's DOM types contain only the
// window's `self`.
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<PageSource>) => void) | null;
  postMessage(message: string): void;
};

scope.onmessage = ({ data }) => {
  scope.postMessage(JSON.stringify(readPage(data, collectGarbage)));
  collectGarbage();
};
