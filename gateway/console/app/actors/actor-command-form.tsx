/**
 * A form that sends an actor a command of its protocol. It is generated from the command's schema, and the
 * audit log records the command.
 */
import { useState } from "preact/hooks";
import { path, post } from "../console-api-client.ts";
import { say } from "../console-app-state.ts";
import { type JsonSchema, SchemaForm } from "../forms/json-schema-form.tsx";

export interface KindCommand {
  readonly type: string;
  readonly fields: JsonSchema;
}

interface CommandFormProps {
  readonly kind: string;
  readonly id: string;
  readonly commands: readonly KindCommand[];
}

export function CommandForm({ kind, id, commands }: CommandFormProps) {
  const [chosen, setChosen] = useState(commands[0]?.type ?? "");
  const [reply, setReply] = useState<string>();
  const command = commands.find(({ type }) => type === chosen);
  async function send(fields: Readonly<Record<string, unknown>>): Promise<void> {
    setReply(undefined);
    const answer = await post<{ readonly reply: unknown }>(`${path("/api/actors", kind, id)}/commands`, {
      type: chosen,
      fields,
    });
    setReply(JSON.stringify(answer.reply, null, 1));
    say(`${chosen} was handled.`);
  }
  return (
    <div class="command-form">
      <div class="field">
        <label for="command-type">Command</label>
        <select
          id="command-type"
          value={chosen}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            setReply(undefined);
          }}
        >
          {commands.map(({ type }) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
      </div>
      {command && (
        <SchemaForm
          key={chosen}
          schema={command.fields}
          submit={`Send ${chosen}`}
          needs="admin"
          onSubmit={send}
        />
      )}
      {reply !== undefined && (
        <pre class="reply" role="status">
          {reply}
        </pre>
      )}
      <p class="hint">For debugging. Cairn's own actors send these commands to each other, too.</p>
    </div>
  );
}
