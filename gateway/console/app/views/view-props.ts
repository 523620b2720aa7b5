/** What every view receives from the router. */
export interface ViewProps {
  /** Of the path: `{ id }`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}
