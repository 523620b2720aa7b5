/** The view `/explorations`: a form that starts an exploration, and the list of all explorations. */
import type { JobList, Started } from "../../../../machines/exploration/exploration-protocol.ts";
import { get, path, post } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { SchemaForm } from "../forms/json-schema-form.tsx";
import { useToolSchema } from "../forms/load-tool-input-schemas.ts";
import { useSignIn } from "../forms/sign-in-fields.tsx";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Card, Empty, Loaded, Moment, StateName, Table, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

interface StartExplorationProps {
  readonly startUrl?: string;
  /**
   * Whether the form first shows only the field for the start address. The other fields are then collapsed.
   */
  readonly isShort?: boolean;
}

export function StartExploration({ startUrl, isShort = false }: StartExplorationProps) {
  const schema = useToolSchema("start_knowledge_exploration");
  const signIn = useSignIn();
  async function start(values: Readonly<Record<string, unknown>>): Promise<void> {
    const login = signIn.recipe();
    const { job_id } = await post<Started>("/api/knowledge/explore/start", { ...values, login });
    open(path("/explorations", job_id));
  }
  return (
    <Loaded of={schema}>
      {(value) => (
        <SchemaForm
          schema={value}
          primary={isShort ? ["start_url"] : ["start_url", "mode", "max_pages", "max_depth", "knowledge_id"]}
          omit={["login", "job_id"]}
          initial={startUrl === undefined ? {} : { start_url: startUrl }}
          submit="Explore"
          onSubmit={start}
        >
          {!isShort && signIn.fields}
        </SchemaForm>
      )}
    </Loaded>
  );
}

export function ExplorationsView({ query }: ViewProps) {
  const jobs = useResource("jobs", () => get<JobList>("/api/knowledge/explore/jobs"));
  useLive("/ws/inspect?kind=exploration&what=state", jobs.reload, jobs.reload);
  return (
    <View
      title="Explorations"
      about="An exploration walks a site and writes its map: pages, screens, and how to get from one to the other."
    >
      <div class="columns list-first">
        <Loaded of={jobs}>
          {(value) =>
            value.jobs.length === 0 ? (
              <Empty title="Nothing has been explored yet.">
                Give an address, and Cairn walks the site from there. Or <a href="/">try it</a> on a small
                application of Cairn's own.
              </Empty>
            ) : (
              <Table caption="Explorations" head={["Job", "State", "From", "Map", "Started"]}>
                {value.jobs.map(({ job_id, status, start_url, knowledge_id, started_at }) => (
                  <tr key={job_id}>
                    <td class="id">
                      <a href={path("/explorations", job_id)}>{job_id}</a>
                    </td>
                    <td>
                      <StateName state={status} />
                    </td>
                    <td class="id">{start_url}</td>
                    <td>
                      <a href={path("/maps", knowledge_id)}>{knowledge_id}</a>
                    </td>
                    <td>
                      <Moment at={started_at} />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
        <Card title="Explore a site">
          <StartExploration {...(query.has("url") ? { startUrl: query.get("url") ?? "" } : {})} />
        </Card>
      </div>
    </View>
  );
}
