/**
 * A thread that sends each message back. With it, the bench measures the floor: the least possible cost of a
 * request to a worker.
 */
// The cast is needed: in a worker `self` is the worker's scope, but the DOM types declare only that of a
// window.
const scope = self as unknown as {
  onmessage: (event: MessageEvent) => void;
  postMessage(message: unknown): void;
};
scope.onmessage = (event) => scope.postMessage(event.data);
