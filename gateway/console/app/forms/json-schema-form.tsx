/**
 * A form generated from a JSON Schema, with a field for each property. Rarely needed fields are hidden in a
 * collapsed part.
 */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { may } from "../facts-in-console-document.ts";

export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** The kind of form field that edits a property. */
type Control = "choice" | "flag" | "number" | "text" | "lines" | "json";

function controlOf(schema: JsonSchema): Control {
  if (schema.enum) return "choice";
  switch (schema.type) {
    case "boolean":
      return "flag";
    case "integer":
    case "number":
      return "number";
    case "string":
      return "text";
    case "array":
      return schema.items?.type === "string" ? "lines" : "json";
    default:
      return "json";
  }
}

/** Converts the text of a field to its value. Throws `SyntaxError` for invalid JSON. */
function parsedText(control: Control, text: string): unknown {
  switch (control) {
    case "flag":
      return text === "true";
    case "number":
      return Number(text);
    case "lines":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "json":
      return JSON.parse(text);
    default:
      return text;
  }
}

function textOf(control: Control, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (control === "lines" && Array.isArray(value)) return value.join("\n");
  if (control === "json") return JSON.stringify(value, null, 1);
  return String(value);
}

const label = (name: string): string => {
  const words = name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

interface FieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly text: string;
  readonly change: (text: string) => void;
}

function Field({ name, schema, isRequired, text, change }: FieldProps) {
  const id = useId();
  const control = controlOf(schema);
  const about = schema.description;
  const shared = { id, name, required: isRequired, "aria-describedby": about ? `${id}-about` : undefined };
  const input = (): ComponentChildren => {
    switch (control) {
      case "choice":
        return (
          <select {...shared} value={text} onChange={({ currentTarget }) => change(currentTarget.value)}>
            {!isRequired && schema.default === undefined && <option value="">–</option>}
            {(schema.enum ?? []).map((option) => (
              <option key={String(option)} value={String(option)}>
                {String(option)}
              </option>
            ))}
          </select>
        );
      case "flag":
        return (
          <input
            {...shared}
            required={false}
            type="checkbox"
            checked={text === "true"}
            onChange={({ currentTarget }) => change(String(currentTarget.checked))}
          />
        );
      case "number":
        return (
          <input
            {...shared}
            type="number"
            step={schema.type === "integer" ? 1 : "any"}
            min={schema.minimum}
            max={schema.maximum}
            value={text}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        );
      case "text":
        return (
          <input
            {...shared}
            type="text"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        );
      default:
        return (
          <textarea
            {...shared}
            rows={control === "lines" ? 2 : 4}
            class={control === "json" ? "mono" : ""}
            placeholder={control === "json" ? "JSON" : "one a line"}
            value={text}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        );
    }
  };
  return (
    <div class={`field ${control}`}>
      <label for={id}>{label(name)}</label>
      {input()}
      {about && (
        <p class="hint" id={`${id}-about`}>
          {about}
        </p>
      )}
    </div>
  );
}

interface SchemaFormProps {
  readonly schema: JsonSchema;
  /**
   * Names of the properties that the form always shows, in this order. By default, these are the required properties;
   * if none is required, all properties.
   */
  readonly primary?: readonly string[];
  readonly omit?: readonly string[];
  readonly initial?: Values;
  readonly submit: string;
  readonly needs?: "act" | "admin";
  readonly onSubmit: (values: Values) => Promise<unknown>;
  /**
   * Additional fields that the schema does not describe. The form shows them between the fields of the schema
   * and the submit button.
   */
  readonly children?: ComponentChildren;
}

export function SchemaForm(props: SchemaFormProps) {
  const { schema, omit = [], initial = {}, submit, needs = "act", onSubmit, children } = props;
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !omit.includes(name));
  const required = schema.required ?? [];
  const first = (name: string, of: JsonSchema): string => textOf(controlOf(of), initial[name] ?? of.default);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const text = (name: string, of: JsonSchema): string => texts[name] ?? first(name, of);
  const primary = props.primary ?? (required.length > 0 ? required : properties.map(([name]) => name));
  const shown = primary.flatMap((name) => properties.filter(([each]) => each === name));
  const folded = properties.filter(([name]) => !primary.includes(name));

  function values(): Values {
    return Object.fromEntries(
      properties.flatMap(([name, of]) => {
        const given = text(name, of);
        const control = controlOf(of);
        const isUnchanged = given === textOf(control, of.default);
        if ((given === "" || isUnchanged) && !required.includes(name)) return [];
        try {
          return [[name, parsedText(control, given)]];
        } catch {
          throw new Error(`${label(name)} is not valid JSON.`);
        }
      }),
    );
  }

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setProblem(undefined);
    setRunning(true);
    try {
      await onSubmit(values());
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setRunning(false);
    }
  }

  const field = ([name, of]: readonly [string, JsonSchema]) => (
    <Field
      key={name}
      name={name}
      schema={of}
      isRequired={required.includes(name)}
      text={text(name, of)}
      change={(changed) => setTexts((before) => ({ ...before, [name]: changed }))}
    />
  );
  return (
    <form class="form" onSubmit={(event) => void send(event)}>
      {shown.map(field)}
      {folded.length > 0 && (
        <details class="more">
          <summary>More options</summary>
          <div class="more-fields">{folded.map(field)}</div>
        </details>
      )}
      {children}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={isRunning || !may(needs)}>
        {submit}
      </button>
      {!may(needs) && <p class="hint">This needs a key with the scope {needs}.</p>}
    </form>
  );
}
