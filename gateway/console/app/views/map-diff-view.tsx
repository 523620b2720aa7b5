/** The view `/maps/{id}/diff`: the differences between a map and another map of the same site. */
import type { z } from "zod";
import type { KnowledgeSummary } from "../../../../machines/knowledge/knowledge-protocol.ts";
import type { mapDiffSchema } from "../../../../machines/knowledge/map-diff.ts";
import { get, path, query as queryOf } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { useResource } from "../preact-store-hooks.ts";
import { Card, Empty, Facts, Loaded, Moment, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

type Diff = z.infer<typeof mapDiffSchema>;
type Change = NonNullable<Diff["screens"]["changed"][number]["texts"]>;

/**
 * Maximum number of entries that each list of differences shows. The answer to the REST request contains all
 * entries.
 */
const MOST_LISTED = 200;

export function MapDiffView({ parameters: { id = "" }, query }: ViewProps) {
  const against = query.get("against") ?? "";
  const maps = useResource("maps", () =>
    get<{ readonly knowledge: readonly KnowledgeSummary[] }>("/api/knowledge"),
  );
  return (
    <View
      title={`${id}: differences`}
      about="What came, went and changed since the last exploration, or since an earlier map of the same site."
      up={{ href: path("/maps", id), text: id }}
    >
      <Loaded of={maps}>
        {({ knowledge }) => {
          const others = knowledge.filter(({ knowledge_id }) => knowledge_id !== id);
          return (
            <Card>
              <div class="field">
                <label for="against">Earlier map</label>
                <select
                  id="against"
                  value={against}
                  onChange={({ currentTarget }) =>
                    open(`${path("/maps", id)}/diff${queryOf({ against: currentTarget.value })}`, {
                      replace: true,
                    })
                  }
                >
                  <option value="">This map before its last exploration</option>
                  {others.map(({ knowledge_id }) => (
                    <option key={knowledge_id} value={knowledge_id}>
                      {knowledge_id}
                    </option>
                  ))}
                </select>
              </div>
            </Card>
          );
        }}
      </Loaded>
      <Differences key={against} id={id} against={against} />
    </View>
  );
}

function Differences({ id, against }: { readonly id: string; readonly against: string }) {
  const diff = useResource(`${id} ${against}`, () =>
    get<Diff>(`${path("/api/knowledge", id)}/diff${queryOf({ against })}`),
  );
  return (
    <Loaded of={diff}>
      {({ equal, since, screens, transitions }) =>
        since === null ? (
          <Empty title="No earlier state of this map is known.">
            It is kept when an exploration into this map begins. <a href="/explorations">Explore the site</a>{" "}
            again, or compare with another map.
          </Empty>
        ) : equal ? (
          <Empty title={since ? "Nothing has changed." : "The two maps are equal."}>
            {since ? <Since of={since} /> : "Both have the same screens and transitions."}
          </Empty>
        ) : (
          <>
            {since && (
              <p class="soft">
                <Since of={since} />
              </p>
            )}
            <Facts
              of={[
                { name: "New screens", value: screens.came.length },
                { name: "Removed screens", value: screens.went.length },
                { name: "Changed screens", value: screens.changed.length },
                { name: "New transitions", value: transitions.came.length },
                { name: "Removed transitions", value: transitions.went.length },
              ]}
            />
            <ScreenCard title="New screens" map={id} screens={screens.came} />
            <ScreenCard title="Removed screens" map={against || id} screens={screens.went} />
            <ChangedCard map={id} screens={screens.changed} />
            <TransitionCard title="New transitions" transitions={transitions.came} />
            <TransitionCard title="Removed transitions" transitions={transitions.went} />
          </>
        )
      }
    </Loaded>
  );
}

function Since({ of: { job_id, at } }: { readonly of: NonNullable<Diff["since"]> }) {
  return (
    <>
      Changes since <a href={path("/explorations", job_id)}>{job_id}</a> began, <Moment at={at} />
    </>
  );
}

interface ScreenCardProps {
  readonly title: string;
  /** Id of the map to which the listed screens belong. */
  readonly map: string;
  readonly screens: Diff["screens"]["came"];
}

function ScreenCard({ title, map, screens }: ScreenCardProps) {
  return (
    <ListCard title={title} count={screens.length}>
      {screens.slice(0, MOST_LISTED).map((screen) => (
        <li key={screen.screen_id}>
          <ScreenLink map={map} {...screen} />
        </li>
      ))}
    </ListCard>
  );
}

function ChangedCard({
  map,
  screens,
}: {
  readonly map: string;
  readonly screens: Diff["screens"]["changed"];
}) {
  return (
    <ListCard title="Changed screens" count={screens.length}>
      {screens.slice(0, MOST_LISTED).map((screen) => (
        <li key={screen.screen_id}>
          <ScreenLink map={map} {...screen} />
          {screen.name_before !== undefined && <p class="soft">Its name was “{screen.name_before}”.</p>}
          {screen.address_before !== undefined && (
            <p class="soft mono">Its address was {screen.address_before}</p>
          )}
          <Changes what="Texts" of={screen.texts} />
          <Changes what="Actions" of={screen.actions} />
        </li>
      ))}
    </ListCard>
  );
}

function Changes({ what, of }: { readonly what: string; readonly of: Change | undefined }) {
  if (!of) return null;
  return (
    <p class="soft">
      {what}: {of.came.length > 0 && `new ${of.came.map((text) => `“${text}”`).join(", ")}`}
      {of.came.length > 0 && of.went.length > 0 && "; "}
      {of.went.length > 0 && `removed ${of.went.map((text) => `“${text}”`).join(", ")}`}
    </p>
  );
}

interface TransitionCardProps {
  readonly title: string;
  readonly transitions: Diff["transitions"]["came"];
}

function TransitionCard({ title, transitions }: TransitionCardProps) {
  return (
    <ListCard title={title} count={transitions.length}>
      {transitions.slice(0, MOST_LISTED).map(({ from, to }) => (
        <li key={`${from} ${to}`}>
          {from} → {to}
        </li>
      ))}
    </ListCard>
  );
}

interface ListCardProps {
  readonly title: string;
  readonly count: number;
  readonly children: preact.ComponentChildren;
}

/** Shows a list of differences between two maps, or nothing if the list is empty. */
function ListCard({ title, count, children }: ListCardProps) {
  if (count === 0) return null;
  return (
    <Card title={`${title} (${count})`}>
      <ul class="plain">{children}</ul>
      {count > MOST_LISTED && <p class="soft">and {count - MOST_LISTED} more</p>}
    </Card>
  );
}

interface ScreenLinkProps {
  readonly map: string;
  readonly screen_id: string;
  readonly name: string;
  readonly address: string;
}

function ScreenLink({ map, screen_id, name, address }: ScreenLinkProps) {
  return (
    <>
      <a href={`${path("/maps", map)}${queryOf({ screen: screen_id })}`}>{name || screen_id}</a>{" "}
      <span class="soft mono">{address}</span>
    </>
  );
}
