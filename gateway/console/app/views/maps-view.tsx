/** The view `/maps`: lists all maps, and imports a map. */
import type { KnowledgeSummary } from "../../../../machines/knowledge/knowledge-protocol.ts";
import { get, path } from "../console-api-client.ts";
import { ImportMap } from "../map/map-import-form.tsx";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Card, Empty, Loaded, Moment, Table, View } from "../view-components.tsx";

export function MapsView() {
  const list = useResource("maps", () =>
    get<{ readonly knowledge: readonly KnowledgeSummary[] }>("/api/knowledge"),
  );
  useLive("/ws/inspect?kind=knowledge&what=state", list.reload, list.reload);
  return (
    <View
      title="Maps"
      about="A map is what Cairn knows of a site: its screens, what can be done on each, and the ways between them."
    >
      <div class="columns list-first">
        <Loaded of={list}>
          {({ knowledge }) =>
            knowledge.length === 0 ? (
              <Empty title="There is no map yet.">
                <a href="/explorations">Explore a site</a>, or <a href="/">try it</a> on a small application
                of Cairn's own.
              </Empty>
            ) : (
              <Table caption="Maps" head={["Map", "Sites", "Screens", "Pages", "Transitions", "Changed"]}>
                {knowledge.map((map) => (
                  <tr key={map.knowledge_id}>
                    <td class="id">
                      <a href={path("/maps", map.knowledge_id)}>{map.knowledge_id}</a>
                    </td>
                    <td class="id">{map.websites.map(({ base_url }) => base_url).join(", ")}</td>
                    <td>{map.screens}</td>
                    <td>{map.pages}</td>
                    <td>{map.transitions}</td>
                    <td>
                      <Moment at={map.updated_at} />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
        <Card title="Import a map">
          <ImportMap imported={list.reload} />
        </Card>
      </div>
    </View>
  );
}
