/** Shows the output of a session's page: console messages, network requests and downloads. */

import type {
  ConsoleLog,
  NetworkLog,
} from "../../../../machines/session/outputs/console-and-network-log-schemas.ts";
import type { DownloadList } from "../../../../machines/session/outputs/session-file-schemas.ts";
import { callTool, get, path } from "../console-api-client.ts";
import { type Resource, useResource } from "../preact-store-hooks.ts";
import { Empty, Loaded, Moment, StateName, Table } from "../view-components.tsx";

function ReadAgain({ of }: { readonly of: Resource<unknown> }) {
  return (
    <p>
      <button type="button" onClick={of.reload}>
        Read again
      </button>
    </p>
  );
}

export function Messages({ room }: { readonly room: string }) {
  const log = useResource(`console ${room}`, () =>
    callTool<ConsoleLog>("get_console_messages", { room_name: room, limit: 200 }),
  );
  return (
    <>
      <ReadAgain of={log} />
      <Loaded of={log}>
        {({ messages }) =>
          messages.length === 0 ? (
            <Empty title="The page has written nothing to its console." />
          ) : (
            <ol class="log" aria-label="Console messages">
              {messages.map(({ seq, at, level, text }) => (
                <li key={seq}>
                  <time>{new Date(at * 1_000).toISOString().slice(11, 19)}</time>
                  <span>
                    <b class={level === "error" ? "bad" : ""}>{level}</b> {text}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </>
  );
}

export function Network({ room }: { readonly room: string }) {
  const log = useResource(`network ${room}`, () =>
    callTool<NetworkLog>("get_network_log", { room_name: room, limit: 200 }),
  );
  return (
    <>
      <ReadAgain of={log} />
      <Loaded of={log}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Empty title="No request yet." />
          ) : (
            <Table caption="Requests" head={["Request", "Type", "Status", "Took"]}>
              {requests.toReversed().map((request) => (
                <tr key={request.seq}>
                  <td class="id mono">
                    {request.method} {request.url}
                  </td>
                  <td>{request.type}</td>
                  <td>
                    {request.status ?? request.state}{" "}
                    {request.error && <span class="bad">{request.error}</span>}
                  </td>
                  <td class="soft">{request.ms === undefined ? "" : `${Math.round(request.ms)} ms`}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </>
  );
}

export function Downloads({ room }: { readonly room: string }) {
  const files = useResource(`downloads ${room}`, () =>
    get<DownloadList>(`${path("/api/sessions", room)}/downloads`),
  );
  return (
    <>
      <ReadAgain of={files} />
      <Loaded of={files}>
        {({ downloads }) =>
          downloads.length === 0 ? (
            <Empty title="Nothing was downloaded." />
          ) : (
            <Table caption="Downloads" head={["File", "Size", "State", "When"]}>
              {downloads.map((file) => (
                <tr key={file.id}>
                  <td class="id">
                    <a href={file.path} download={file.name}>
                      {file.name}
                    </a>
                  </td>
                  <td>{file.bytes} bytes</td>
                  <td>
                    <StateName state={file.state} />
                  </td>
                  <td>
                    <Moment at={file.started_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </>
  );
}
