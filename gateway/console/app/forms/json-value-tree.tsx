/** Shows JSON as a tree that opens and closes by mouse and keyboard. */

/** Number of levels of the JSON tree that are open at first. */
const OPEN_LEVELS = 1;

function brief(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.length}]`;
  const count = Object.keys(value).length;
  return count === 0 ? "{}" : `{${count}}`;
}

interface BranchProps {
  readonly name: string;
  readonly value: unknown;
  readonly level: number;
}

function Branch({ name, value, level }: BranchProps) {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    const shown =
      typeof value === "object" && value !== null ? brief(value) : (JSON.stringify(value) ?? "null");
    return (
      <div class="leaf">
        <b>{name}</b>: <span class="value">{shown}</span>
      </div>
    );
  }
  return (
    <details class="tree" open={level < OPEN_LEVELS}>
      <summary>
        <b>{name}</b> <span class="soft">{brief(value)}</span>
      </summary>
      <div>
        {Object.entries(value).map(([key, item]) => (
          <Branch key={key} name={key} value={item} level={level + 1} />
        ))}
      </div>
    </details>
  );
}

export function ValueTree({ value }: { readonly value: unknown }) {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return (
      <p class="nothing">{value === undefined || value === null ? "Nothing." : JSON.stringify(value)}</p>
    );
  }
  return (
    <div>
      {Object.entries(value).map(([key, item]) => (
        <Branch key={key} name={key} value={item} level={0} />
      ))}
    </div>
  );
}
