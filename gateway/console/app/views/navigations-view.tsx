/** The view `/navigations`: a form that asks a question about web pages, and the list of all runs. */
import type { ActorList } from "../../../../machines/runtime/protocol.ts";
import { get, path, post } from "../api-client.ts";
import { open } from "../router.ts";
import { SchemaForm } from "../schema-form.tsx";
import { useSignIn } from "../sign-in-fields.tsx";
import { useToolSchema } from "../tool-schema.ts";
import { useLive, useResource } from "../use-store.ts";
import { Card, Empty, Loaded, Moment, StateName, Table, View } from "../view-parts.tsx";

export function NavigationsView() {
  const list = useResource("runs", () => get<ActorList>("/api/actors?kind=navigation&limit=100"));
  const schema = useToolSchema("start_navigation");
  const signIn = useSignIn();
  useLive("/ws/inspect?kind=navigation&what=state", list.reload, list.reload);
  return (
    <View
      title="Navigation"
      about="A run puts a question to the web: it visits pages, decides at each what to do, and returns what fits with its sources."
    >
      <div class="columns list-first">
        <Loaded of={list}>
          {({ actors }) =>
            actors.length === 0 ? (
              <Empty title="No question has been asked yet.">
                Say what to find, and where to begin. Without a model, the structure of the pages decides.
              </Empty>
            ) : (
              <Table caption="Runs" head={["Run", "State", "Last activity"]}>
                {actors.map(({ id, state, updated_at }) => (
                  <tr key={id}>
                    <td class="id">
                      <a href={path("/navigations", id)}>{id}</a>
                    </td>
                    <td>
                      <StateName state={state} />
                    </td>
                    <td>
                      <Moment at={updated_at} />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
        <Card title="Ask a question">
          <Loaded of={schema}>
            {(value) => (
              <SchemaForm
                schema={value}
                primary={["prompt", "seed_links", "max_articles"]}
                omit={["run_id", "login", "session_id"]}
                submit="Ask"
                onSubmit={async (values) => {
                  const request = { ...values, login: signIn.recipe() };
                  const { run_id } = await post<{ readonly run_id: string }>("/api/navigate", request);
                  open(path("/navigations", run_id));
                }}
              >
                {signIn.fields}
              </SchemaForm>
            )}
          </Loaded>
        </Card>
      </div>
    </View>
  );
}
