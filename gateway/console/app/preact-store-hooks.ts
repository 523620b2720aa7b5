/** Hooks that connect stores and requests to components. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, asApiError } from "./console-api-client.ts";
import { consoleStore, say } from "./console-app-state.ts";
import { follow, type LiveEvent } from "./reconnecting-websocket.ts";

interface ReadableStore<State> {
  getSnapshot(): { readonly context: State };
  subscribe(listener: (snapshot: { readonly context: State }) => void): { unsubscribe(): void };
}

/** Returns a part of a store's state. The component renders again when that part changes. */
export function useStore<State, Part>(store: ReadableStore<State>, select: (state: State) => Part): Part {
  const [, setPart] = useState<{ readonly part: Part }>();
  const part = select(store.getSnapshot().context);
  const shown = useRef(part);
  shown.current = part;
  const selector = useRef(select);
  selector.current = select;
  useEffect(() => {
    const check = (): void => {
      const next = selector.current(store.getSnapshot().context);
      if (!Object.is(next, shown.current)) setPart({ part: next });
    };
    check();
    const { unsubscribe } = store.subscribe(check);
    return () => unsubscribe();
  }, [store]);
  return part;
}

export interface Resource<Value> {
  readonly value: Value | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** Reads the value from the server again. Until the new value arrives, the old one stays visible. */
  readonly reload: () => void;
}

/** Minimum time in milliseconds between two reads of a value, when events cause it to be read again. */
const RELOAD_EVERY = 400;

/**
 * Returns the result of `read`, which is called again when the key changes. It is not called while the key is
 * `undefined`.
 */
export function useResource<Value>(key: string | undefined, read: () => Promise<Value>): Resource<Value> {
  const [state, setState] = useState<{
    readonly key: string | undefined;
    readonly value?: Value;
    readonly error?: ApiError | undefined;
  }>({ key });
  const reader = useRef(read);
  reader.current = read;
  const current = useRef(key);
  current.current = key;
  const waiting = useRef<{ isBusy: boolean; isWanted: boolean }>({ isBusy: false, isWanted: false });

  const reload = useCallback((): void => {
    const asked = current.current;
    const turn = waiting.current;
    if (asked === undefined) return;
    if (turn.isBusy) {
      turn.isWanted = true;
      return;
    }
    turn.isBusy = true;
    turn.isWanted = false;
    const settle = (next: { readonly value?: Value; readonly error?: ApiError }): void => {
      if (current.current === asked) {
        setState((before) => ({
          ...(before.key === asked ? before : {}),
          error: undefined,
          ...next,
          key: asked,
        }));
      } else turn.isWanted = true;
      setTimeout(() => {
        turn.isBusy = false;
        if (turn.isWanted) reload();
      }, RELOAD_EVERY);
    };
    reader.current().then(
      (value) => settle({ value }),
      (thrown) => settle({ error: asApiError(thrown) }),
    );
  }, []);

  useEffect(() => {
    if (key !== undefined) reload();
  }, [key, reload]);

  const isThis = state.key === key;
  const value = isThis ? state.value : undefined;
  const error = isThis ? state.error : undefined;
  return { value, error, isLoading: value === undefined && error === undefined, reload };
}

/** Connects a live socket while the component is shown. While the path is `undefined`, no socket is open. */
export function useLive(
  path: string | undefined,
  onEvent: (event: LiveEvent) => void,
  onGap: () => void,
): void {
  const listener = useRef({ onEvent, onGap });
  listener.current = { onEvent, onGap };
  useEffect(() => {
    if (path === undefined) return;
    return follow({
      path,
      onEvent: (event) => listener.current.onEvent(event),
      onGap: () => listener.current.onGap(),
    });
  }, [path]);
}

/** Runs actions of the person one at a time, and shows a failure as a message with its code. */
export function useAction(): readonly [
  isRunning: boolean,
  run: (action: () => Promise<unknown>, done?: string) => Promise<boolean>,
] {
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(async (action: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setRunning(true);
    try {
      await action();
      if (done !== undefined) say(done);
      return true;
    } catch (thrown) {
      const { code, message } = asApiError(thrown);
      consoleStore.trigger.toast({ tone: "bad", text: message, code });
      return false;
    } finally {
      setRunning(false);
    }
  }, []);
  return [isRunning, run];
}
