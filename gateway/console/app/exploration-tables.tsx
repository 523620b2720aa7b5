/**
 * The results of an exploration: pages with their links, pressed elements, addresses that were found but not read
 * (held back), and errors.
 */
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import { get, path, query as queryOf } from "./console-api-client.ts";
import { useResource } from "./preact-store-hooks.ts";
import { Card, Empty, Facts, Loaded, Table } from "./view-components.tsx";

interface Results {
  readonly results: {
    readonly errors: readonly { readonly url: string; readonly error: string; readonly code: string }[];
  };
  readonly pages: readonly {
    readonly url: string;
    readonly title: string;
    readonly depth?: number;
    readonly rendered_by?: string;
    readonly render_reason?: string;
    readonly http_status?: number;
  }[];
  readonly links: readonly {
    readonly from: string;
    readonly to: string;
    readonly type: "internal" | "external";
  }[];
  readonly next_cursor?: string | null;
}

/** Maximum number of a page's links that are listed. A navigation menu alone has hundreds of links. */
const MOST_LINKS = 200;

function Links({ of }: { readonly of: Results["links"] }) {
  if (of.length === 0) return <span class="soft">none</span>;
  return (
    <details>
      <summary>{of.length}</summary>
      <ul class="plain mono soft">
        {of.slice(0, MOST_LINKS).map(({ to, type }, at) => (
          <li key={at}>
            {to} {type === "external" && <span class="badge">other site</span>}
          </li>
        ))}
      </ul>
      {of.length > MOST_LINKS && <p class="soft">and {of.length - MOST_LINKS} more</p>}
    </details>
  );
}

export function Pages({ id, cursor }: { readonly id: string; readonly cursor: string }) {
  const pages = useResource(`pages ${id} ${cursor}`, () =>
    get<Results>(
      `${path("/api/knowledge/explore/results", id)}${queryOf({ partial: "true", limit: 50, cursor })}`,
    ),
  );
  return (
    <Loaded of={pages}>
      {(value) =>
        value.pages.length === 0 ? (
          <Empty title="No page is stored yet." />
        ) : (
          <>
            <Table caption="Pages" head={["Page", "Depth", "Links", "Read by", "Why"]}>
              {value.pages.map((page) => (
                <tr key={page.url}>
                  <td class="id">
                    {page.title || page.url}
                    <br />
                    <span class="soft mono">{page.url}</span>
                  </td>
                  <td>{page.depth}</td>
                  <td>
                    <Links of={value.links.filter(({ from }) => from === page.url)} />
                  </td>
                  <td>{page.rendered_by}</td>
                  <td class="soft">{page.render_reason}</td>
                </tr>
              ))}
            </Table>
            {value.next_cursor && (
              <nav class="pages" aria-label="Pages">
                <a
                  href={`${path("/explorations", id)}${queryOf({ tab: "pages", cursor: value.next_cursor })}`}
                >
                  More pages
                </a>
              </nav>
            )}
          </>
        )
      }
    </Loaded>
  );
}

export function Errors({ id }: { readonly id: string }) {
  const results = useResource(`errors ${id}`, () =>
    get<Results>(`${path("/api/knowledge/explore/results", id)}${queryOf({ partial: "true", limit: 1 })}`),
  );
  return (
    <Loaded of={results}>
      {({ results: { errors } }) =>
        errors.length === 0 ? (
          <Empty title="Every page could be read." />
        ) : (
          <Table caption="Errors" head={["Address", "What happened", "Code"]}>
            {errors.map(({ url, error, code }) => (
              <tr key={url}>
                <td class="id mono">{url}</td>
                <td>{error}</td>
                <td class="mono">{code}</td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}

export function HeldBack({ status: { held_back, traps } }: { readonly status: ExplorationStatus }) {
  if (held_back.length === 0 && traps.length === 0) return <Empty title="Nothing was held back." />;
  return (
    <>
      {held_back.map(({ reason, count, message, examples }) => (
        <Card key={reason} title={`${reason.replaceAll("_", " ")} · ${count}`}>
          <p>{message}</p>
          <ul class="plain mono soft">
            {examples.map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </Card>
      ))}
      {traps.map(({ kind, pattern, pages, left_out, examples }) => (
        <Card key={pattern} title={`Endless part: ${kind.replaceAll("_", " ")}`}>
          <p>
            <span class="mono">{pattern}</span>: {pages} pages were read, {left_out} left out.
          </p>
          <ul class="plain mono soft">
            {examples.map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

/**
 * Shows for each page whether elements were pressed on it, and the reason for pressing or not pressing them.
 */
export function Presses({ status: { interactive } }: { readonly status: ExplorationStatus }) {
  if (!interactive) {
    return (
      <Empty title="Nothing was pressed yet.">
        Elements are pressed when all links were followed, unless the mode is <b>links</b>.
      </Empty>
    );
  }
  const { actions, states, unsafe = 0, held = 0, lost = 0, stopped_by, reason, decisions = [] } = interactive;
  return (
    <>
      <Facts
        of={[
          { name: "Presses", value: actions },
          { name: "States found", value: states },
          { name: "Left alone, they may change something", value: unsafe },
          { name: "Writes held back", value: held },
          { name: "States not reached again", value: lost },
          stopped_by !== undefined && { name: "Ended by", value: stopped_by.replaceAll("_", " ") },
        ]}
      />
      {reason && <p class="note">{reason}</p>}
      {decisions.length > 0 && (
        <Table caption="Decisions about presses" head={["Page", "Pressed", "Why"]}>
          {decisions.map(({ url, pressed, reason: why }) => (
            <tr key={url}>
              <td class="id mono">{url}</td>
              <td>{pressed ? "yes" : "no"}</td>
              <td class="soft">{why}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
