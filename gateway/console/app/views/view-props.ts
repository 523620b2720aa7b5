/** The properties that every view receives from the router. */
export interface ViewProps {
  /** Parameters in the path of the view, such as `{ id }`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}
