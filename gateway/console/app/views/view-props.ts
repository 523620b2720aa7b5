/** The properties that every view receives from the router. */
export interface ViewProps {
  /** Parameters of the path, such as `{ id }`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}
