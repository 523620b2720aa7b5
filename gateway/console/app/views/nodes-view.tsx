/** The view `/nodes`: a tree of the nodes, their workers, and the shards that each worker owns. */
import type { Nodes } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { get } from "../console-api-client.ts";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Card, Facts, Loaded, Moment, StateName, Table, View } from "../view-components.tsx";

/**
 * Number of shards of a store. A shard is a group of actors that one worker owns. Shards 0 to 127 are for nodes with
 * the role compute, and 128 to 159 for the role browser.
 */
const SHARDS = 160;
const FIRST_BROWSER_SHARD = 128;

function Shards({ owned }: { readonly owned: ReadonlySet<number> }) {
  const columns = 32;
  const step = 12;
  return (
    <svg
      class="shards"
      viewBox={`0 0 ${columns * step} ${(SHARDS / columns) * step}`}
      role="img"
      aria-label={`${owned.size} of ${SHARDS} shards are owned`}
    >
      {Array.from({ length: SHARDS }, (_, shard) => (
        <rect
          key={shard}
          class={`${owned.has(shard) ? "owned" : ""} ${shard >= FIRST_BROWSER_SHARD ? "browser" : "compute"}`}
          x={(shard % columns) * step + 1}
          y={Math.floor(shard / columns) * step + 1}
          width={step - 2}
          height={step - 2}
          rx={2}
        >
          <title>
            shard {shard}, {shard >= FIRST_BROWSER_SHARD ? "browser" : "compute"}
          </title>
        </rect>
      ))}
    </svg>
  );
}

export function NodesView() {
  const nodes = useResource("nodes", () => get<Nodes>("/api/nodes"));
  useLive("/ws/inspect?what=lease,worker", nodes.reload, nodes.reload);
  return (
    <View
      title="Nodes"
      about="A node is a Cairn process. Its supervisor keeps workers running; each worker leases shards and hosts their actors."
    >
      <Loaded of={nodes}>
        {(value) => (
          <>
            {value.nodes.map(({ name, self, version, roles, since, shards, workers }) => (
              <Card title={self ? `${name} (this one)` : name} key={name}>
                <Facts
                  of={[
                    { name: "Version", value: version },
                    { name: "Roles", value: roles.join(", ") },
                    { name: "Since", value: <Moment at={since} /> },
                    { name: "Shards", value: shards },
                  ]}
                />
                <Shards owned={new Set(workers.flatMap((worker) => worker.shards))} />
                <Table
                  caption={`Workers of ${name}`}
                  head={["Worker", "State", "Starts", "Shards", "Actors in memory"]}
                >
                  {workers.map((worker) => (
                    <tr key={worker.name}>
                      <td class="mono">{worker.name}</td>
                      <td>
                        <StateName state={worker.ready ? "ready" : "starting"} />
                      </td>
                      <td>{worker.starts}</td>
                      <td>{worker.shards.length}</td>
                      <td>{worker.actors}</td>
                    </tr>
                  ))}
                </Table>
              </Card>
            ))}
          </>
        )}
      </Loaded>
    </View>
  );
}
