/** The view `/audit`: lists who did what, to which object, and with which outcome. */
import type { AuditPage } from "../../../../machines/audit/audit-entry-schemas.ts";
import { get, path, query as queryOf } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { useResource } from "../preact-store-hooks.ts";
import { Empty, Loaded, Moment, StateName, Table, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

const OUTCOMES = ["done", "failed", "refused", "interrupted"] as const;

/** A link to the actor that is the object of an audit entry. */
function Subject({ of }: { readonly of: string | null }) {
  const [, kind, id] = /^(session|exploration|knowledge|dialogue|navigation)\/(.+)$/.exec(of ?? "") ?? [];
  return kind && id ? <a href={path("/actors", kind, id)}>{of}</a> : <span>{of ?? "–"}</span>;
}

export function AuditView({ query }: ViewProps) {
  const cursor = query.get("cursor") ?? "";
  const outcome = query.get("outcome") ?? "";
  const list = useResource(`audit ${outcome} ${cursor}`, () =>
    get<AuditPage>(`/api/audit${queryOf({ outcome, cursor, limit: 50 })}`),
  );
  return (
    <View
      title="Audit"
      about="Every action that changes something, with the name of the key that asked for it. Arguments are never recorded."
      actions={
        <button type="button" onClick={list.reload}>
          Read again
        </button>
      }
    >
      <form class="filters">
        <label>
          Outcome
          <select
            value={outcome}
            onChange={({ currentTarget }) => open(`/audit${queryOf({ outcome: currentTarget.value })}`)}
          >
            <option value="">all</option>
            {OUTCOMES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Loaded of={list}>
        {({ entries, next_cursor }) =>
          entries.length === 0 ? (
            <Empty title="Nothing is recorded yet.">
              What you and your agents do appears here a moment later.
            </Empty>
          ) : (
            <>
              <Table caption="Audit log" head={["When", "Who", "Action", "On", "Outcome", "Took"]}>
                {entries.map((entry, at) => (
                  <tr key={`${entry.request_id} ${at}`}>
                    <td>
                      <Moment at={entry.at} />
                    </td>
                    <td>{entry.caller}</td>
                    <td>
                      <span class="mono">{entry.act}</span>{" "}
                      {entry.detail && <span class="soft">{entry.detail}</span>}
                    </td>
                    <td class="id">
                      <Subject of={entry.subject} />
                    </td>
                    <td>
                      <StateName state={entry.outcome} />{" "}
                      {entry.code && <span class="mono soft">{entry.code}</span>}
                    </td>
                    <td class="soft">{Math.round(entry.ms)} ms</td>
                  </tr>
                ))}
              </Table>
              {next_cursor !== null && (
                <nav class="pages" aria-label="Pages">
                  <a href={`/audit${queryOf({ outcome, cursor: next_cursor })}`}>Older entries</a>
                </nav>
              )}
            </>
          )
        }
      </Loaded>
    </View>
  );
}
