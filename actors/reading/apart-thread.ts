/** The inside of the thread that `apart.ts` starts: a document comes in, the page goes out as JSON. */
import { type PageSource, readPage } from "./page.ts";

// In a worker `self` is its own scope; the DOM types know only the window's.
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<PageSource>) => void) | null;
  postMessage(message: string): void;
};

scope.onmessage = ({ data }) => scope.postMessage(JSON.stringify(readPage(data)));
