/**
 * Lists the actions of a session in the console, the newest first, each with the changes that it made on the
 * page.
 */
import type { PageChange } from "../../../../machines/session/page/page-change-summary.ts";
import { useStore } from "../preact-store-hooks.ts";
import { Empty, StateName } from "../view-components.tsx";
import type { SessionAction, SessionStore } from "./session-view-state.ts";

/**
 * Returns what an action has changed on the page, as text. Returns `undefined` if the action's outcome does
 * not describe changes.
 */
function changesOf({ data: { page } }: SessionAction): string | undefined {
  if (typeof page !== "object" || page === null) return undefined;
  const { lines, said, removed } = page as Partial<PageChange>;
  const parts = [
    lines,
    said && said.length > 0 ? said.map((text) => `“${text}”`).join("\n") : undefined,
    removed && removed.length > 0 ? `gone: ${removed.join(", ")}` : undefined,
  ].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join("\n");
}

export function Actions({ store }: { readonly store: SessionStore }) {
  const actions = useStore(store, (state) => state.actions);
  if (actions.length === 0) {
    return (
      <Empty title="No action yet.">
        Actions of agents and of yours appear here with what they changed, while this view is open.
      </Empty>
    );
  }
  return (
    <ol class="history" aria-label="Actions, the newest first">
      {actions.map((action) => {
        const changes = changesOf(action);
        return (
          <li key={action.id}>
            <div class="history-line">
              <time class="soft mono">{new Date(action.at * 1_000).toISOString().slice(11, 19)}</time>
              <b>{action.name}</b>
              <span class="mono soft">{JSON.stringify(action.params)}</span>
              <StateName state={action.state} />
            </div>
            {action.error && <p class="bad">{action.error}</p>}
            {changes && (
              <details>
                <summary>What changed</summary>
                <pre>{changes}</pre>
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}
