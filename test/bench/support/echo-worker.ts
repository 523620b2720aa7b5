/** The floor of every request to a worker: a thread that posts back what it gets. */
// In a worker `self` is its own scope; the DOM types know only the window's.
const scope = self as unknown as {
  onmessage: (event: MessageEvent) => void;
  postMessage(message: unknown): void;
};
scope.onmessage = (event) => scope.postMessage(event.data);
