/** The floor of a request to a worker: a thread that posts each message back. */
// In a worker `self` is its own scope; the DOM types declare only that of a window.
const scope = self as unknown as {
  onmessage: (event: MessageEvent) => void;
  postMessage(message: unknown): void;
};
scope.onmessage = (event) => scope.postMessage(event.data);
