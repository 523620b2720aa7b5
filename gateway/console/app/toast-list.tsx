/**
 * Short messages about the last action of the person. Messages about failures stay until they are dismissed.
 */
import { useEffect } from "preact/hooks";
import { consoleStore, type Toast } from "./console-app-state.ts";
import { useStore } from "./preact-store-hooks.ts";

/** Time for which a message about a success is shown, in milliseconds. */
const STAYS = 5_000;

function ToastItem({ toast: { id, tone, text, code } }: { readonly toast: Toast }) {
  useEffect(() => {
    if (tone === "bad") return;
    const timer = setTimeout(() => consoleStore.trigger.dismiss({ id }), STAYS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  return (
    <div class={`toast ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <div>
        <p>{text}</p>
        {code && <p class="mono">{code}</p>}
      </div>
      <button type="button" aria-label="Dismiss" onClick={() => consoleStore.trigger.dismiss({ id })}>
        ×
      </button>
    </div>
  );
}

export function ToastList() {
  const toasts = useStore(consoleStore, (state) => state.toasts);
  return (
    <div class="toasts">
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
