/**
 * The form that imports a map file. A large file is sent in several parts, because the route accepts at most
 * one megabyte per request.
 */
import { useState } from "preact/hooks";
import { path, post } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { may } from "../facts-in-console-document.ts";
import { useAction } from "../preact-store-hooks.ts";

/** Maximum number of rows in one part of the imported file. */
const PART = 250;

interface MapDocument {
  readonly format?: unknown;
  readonly version?: unknown;
  readonly knowledge_id?: unknown;
  readonly websites?: readonly unknown[];
  readonly screens?: readonly unknown[];
  readonly actions?: readonly unknown[];
  readonly transitions?: readonly unknown[];
}

export function ImportMap({ imported }: { readonly imported: () => void }) {
  const [name, setName] = useState("");
  const [isRunning, run] = useAction();
  const [state, setState] = useState("");
  async function send(file: File): Promise<void> {
    const {
      format,
      version,
      websites = [],
      screens = [],
      actions = [],
      transitions = [],
      knowledge_id,
    } = JSON.parse(await file.text()) as MapDocument;
    const id = name.trim() || String(knowledge_id ?? file.name.replace(/\W.*$/, ""));
    const rows = Math.max(1, screens.length, actions.length, transitions.length);
    for (let at = 0; at < rows; at += PART) {
      const part = <Row,>(all: readonly Row[]): readonly Row[] => all.slice(at, at + PART);
      setState(`${Math.round((100 * at) / rows)}%`);
      await post(`${path("/api/knowledge", id)}/import`, {
        map: {
          format,
          version,
          websites: at === 0 ? websites : [],
          screens: part(screens),
          actions: part(actions),
          transitions: part(transitions),
        },
      });
    }
    imported();
    open(path("/maps", id));
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const file = new FormData(event.currentTarget).get("file");
        if (file instanceof File) void run(() => send(file), "The map is imported.").then(() => setState(""));
      }}
    >
      <div class="field">
        <label for="import-name">Name</label>
        <input
          id="import-name"
          value={name}
          placeholder="as in the file"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="import-file">File</label>
        <input id="import-file" name="file" type="file" accept="application/json,.json" required />
      </div>
      <button type="submit" disabled={isRunning || !may("act")}>
        Import
      </button>
      {state && <p role="status">{state}</p>}
    </form>
  );
}
