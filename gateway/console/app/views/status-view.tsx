/** The view `/status`: whether Cairn is ready, its versions, load and configuration. */
import { get } from "../console-api-client.ts";
import { may } from "../facts-in-console-document.ts";
import { useResource } from "../preact-store-hooks.ts";
import { loadOf, readMetrics } from "../prometheus-text-reader.ts";
import { Card, Empty, Loaded, StateName, Table, Tabs, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

interface Ready {
  readonly status: string;
  readonly checks: Readonly<
    Record<string, { readonly ok: boolean; readonly detail: string; readonly degraded?: true }>
  >;
}

/**
 * While Cairn is not ready, `/ready` answers with status 503 and the same body. So the view does not treat
 * this status as an error.
 */
async function readiness(): Promise<Ready> {
  const response = await fetch("/ready");
  return (await response.json()) as Ready;
}

interface Configuration {
  readonly version: string;
  readonly runtime: Readonly<Record<string, string>>;
  readonly settings: readonly {
    readonly name: string;
    readonly value: string;
    readonly source: string;
    readonly description: string;
  }[];
}

function Checks() {
  const ready = useResource("ready", readiness);
  return (
    <Card
      title="Reachable"
      actions={
        <button type="button" onClick={ready.reload}>
          Check again
        </button>
      }
    >
      <Loaded of={ready}>
        {({ checks }) => (
          <Table caption="Checks" head={["Part", "State", "Detail"]}>
            {Object.entries(checks).map(([name, { ok, detail, degraded = false }]) => (
              <tr key={name}>
                <td>{name}</td>
                <td>
                  <StateName state={ok ? "ready" : degraded ? "paused" : "failed"} />
                </td>
                <td class="soft">{detail}</td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </Card>
  );
}

function Load() {
  const metrics = useResource("metrics", async () => readMetrics(await (await fetch("/metrics")).text()));
  return (
    <Card
      title="Load of this node"
      actions={
        <button type="button" onClick={metrics.reload}>
          Read again
        </button>
      }
    >
      <Loaded of={metrics}>
        {(samples) => (
          <div class="numbers">
            {loadOf(samples).map(({ name, value }) => (
              <div key={name}>
                <b>{value}</b>
                <span>{name}</span>
              </div>
            ))}
          </div>
        )}
      </Loaded>
      <p>
        <a href="/metrics">All metrics</a> · <a href="/nodes">Nodes and workers</a>
      </p>
    </Card>
  );
}

function Settings() {
  const configuration = useResource("configuration", () => get<Configuration>("/api/configuration"));
  if (!may("admin")) {
    return <Empty title="The configuration needs a key with the scope admin." />;
  }
  return (
    <Loaded of={configuration}>
      {({ settings, version, runtime }) => (
        <>
          <p class="soft">
            Cairn {version}
            {Object.entries(runtime).map(([name, value]) => ` · ${name} ${value}`)}
          </p>
          <Table caption="Settings" head={["Setting", "Value", "From", "What it is for"]}>
            {settings.map(({ name, value, source, description }) => (
              <tr key={name}>
                <td class="mono">{name}</td>
                <td class="mono id">{value || "–"}</td>
                <td class="soft">{source}</td>
                <td class="soft">{description}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </Loaded>
  );
}

export function StatusView({ query }: ViewProps) {
  const tab = query.get("tab") ?? "now";
  return (
    <View title="Status" about="Whether Cairn can work, and how it is set up.">
      <Tabs
        label="Parts of the status"
        current={tab}
        tabs={[
          { name: "now", text: "Now", href: "/status" },
          { name: "configuration", text: "Configuration", href: "/status?tab=configuration" },
        ]}
      />
      {tab === "now" ? (
        <>
          <Checks />
          <Load />
        </>
      ) : (
        <Settings />
      )}
    </View>
  );
}
