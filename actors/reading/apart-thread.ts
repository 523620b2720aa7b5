/**
 * The inside of the thread that `apart.ts` starts: a document comes in, the page goes out as JSON.
 *
 * What reading a document of megabytes took (some 40 MB for 2.5) would stay until the next one needs as much again, and the
 * documents of a site that are so long often come together.
 */
import { collectGarbage } from "../runtime/platform.ts";
import { type PageSource, readPage } from "./page.ts";

// In a worker `self` is its own scope; the DOM types know only the window's.
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<PageSource>) => void) | null;
  postMessage(message: string): void;
};

scope.onmessage = ({ data }) => {
  scope.postMessage(JSON.stringify(readPage(data, collectGarbage)));
  collectGarbage();
};
