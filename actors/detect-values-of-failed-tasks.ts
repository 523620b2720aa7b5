/** Finds out whether the values on the page of a session are those of tasks of Cairn that have failed. */
import type { EffectScope } from "./runtime/index.ts";
import type { CairnServices } from "./worker-services.ts";

type Asks = Pick<EffectScope<CairnServices>, "query">;

/**
 * Whether the only tasks that have acted on the page of the session are walks and dialogues that have failed. The
 * values of failed tasks are not needed any more, so the question that the page asks before it is left
 * (`beforeunload`) is accepted without an approval.
 *
 * @param own address of the task that asks, such as `walk/a1`. Its own values are kept.
 */
export async function areValuesOfFailedTasks(room: string, asks: Asks, own?: string): Promise<boolean> {
  const { tasks, others } = await asks.query("session", room, "actors_on_page", null);
  if (others || !tasks.some(({ has_entered }) => has_entered)) return false;
  const lost = tasks.map(async ({ task, has_entered }) =>
    task === own ? !has_entered : await hasFailed(task, asks),
  );
  return (await Promise.all(lost)).every(Boolean);
}

async function hasFailed(task: string, asks: Asks): Promise<boolean> {
  const slash = task.indexOf("/");
  const [kind, id] = [task.slice(0, slash), task.slice(slash + 1)];
  if (kind === "walk") {
    const result = await asks.query("walk", id, "result", null);
    return result?.status === "failed" || result?.status === "cancelled";
  }
  return kind === "dialogue" && (await asks.query("dialogue", id, "state", null)).status === "error";
}
