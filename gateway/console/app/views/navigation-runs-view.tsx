/** The view `/navigations`: a form that asks a question about web pages, and the list of all runs. */
import { ActorsOfKind } from "../actors/actors-of-kind.tsx";
import { path, post } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { SchemaForm } from "../forms/json-schema-form.tsx";
import { useToolSchema } from "../forms/load-tool-input-schemas.ts";
import { useSignIn } from "../forms/sign-in-fields.tsx";
import { Card, Loaded, View } from "../view-components.tsx";

export function NavigationsView() {
  const schema = useToolSchema("start_navigation");
  const signIn = useSignIn();
  return (
    <View
      title="Navigation"
      about="A run puts a question to the web: it visits pages, decides at each what to do, and returns what fits with its sources."
    >
      <div class="columns list-first">
        <ActorsOfKind
          kind="navigation"
          view="/navigations"
          caption="Runs"
          idHeading="Run"
          emptyTitle="No question has been asked yet."
        >
          Say what to find, and where to begin. Without a model, the structure of the pages decides.
        </ActorsOfKind>
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
