/**
 * Types for describing a fixture application. Its server, its pages, its log of requests and the truth about
 * its screens are all derived from one value of `AppDescription`.
 */

export interface AppDescription {
  readonly name: string;
  readonly title: string;
  /** `server`: complete pages. `client`: an empty page that a script fills and changes. */
  readonly rendering: "server" | "client";
  /** The screen at the path `/`. */
  readonly start: string;
  /** Passwords by user name. */
  readonly users?: Readonly<Record<string, string>>;
  readonly collections: Readonly<Record<string, Collection>>;
  /** Actions that each page shows. */
  readonly navigation: readonly AppAction[];
  readonly screens: readonly AppScreen[];
}

/** Records of a fixture application. Record `n` has the `n`th value of each field, in rotation. */
export interface Collection {
  /** The URL parameter that contains the number of a record. */
  readonly parameter: string;
  /** The name of a record, such as `Order` in "Order 7". */
  readonly label: string;
  readonly count: number;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export interface AppScreen {
  readonly id: string;
  /** The heading of the screen. `{parameter}` is replaced by the parameter's value. */
  readonly heading: string;
  readonly place: Place;
  /** Whether the screen is only for signed-in users. Others see the screen `sign-in`. */
  readonly signedIn?: boolean;
  readonly parts: readonly Part[];
  readonly actions?: readonly AppAction[];
}

/**
 * Where a screen is shown: at its own address, or inside or above another screen at that screen's address.
 */
export type Place =
  | { readonly kind: "page"; readonly path: string; readonly tab?: string }
  /** A tab, which replaces the content of the page. `label` is the text of the tab. */
  | { readonly kind: "tab"; readonly over: string; readonly label: string }
  | { readonly kind: "step"; readonly over: string }
  | { readonly kind: "dialog"; readonly over: string };

export interface AppAction {
  readonly id: string;
  readonly label: string;
  /** The screen to which the action leads. */
  readonly to: string;
  /** How the action is done. `submit` is the button of the screen's form. */
  readonly by: "link" | "press" | "submit";
  /**
   * Whether the label promises a change although the control only opens something. A careful explorer does
   * not press it.
   */
  readonly risky?: boolean;
  /** The change of data on the server. The request is then a POST. */
  readonly effect?: Effect;
  /** Whether the action is shown only to signed-in users, or only to others. */
  readonly only?: "signed-in" | "signed-out";
}

export interface DataEffect {
  readonly kind: "create" | "update" | "remove";
  readonly collection: string;
}

export type Effect = DataEffect | { readonly kind: "sign-in" | "sign-out" };

export type Part =
  | { readonly kind: "text"; readonly text: string }
  /** Rows with a link or button to the screen `to`, in pages of `size`. */
  | {
      readonly kind: "table";
      readonly collection: string;
      readonly size: number;
      readonly to: string;
      readonly sortable?: boolean;
    }
  /** Cards that are loaded while the user scrolls. */
  | {
      readonly kind: "endless";
      readonly collection: string;
      readonly size: number;
      readonly to: string;
      readonly only?: string;
    }
  /** The fields of the record that the address names. */
  | { readonly kind: "record"; readonly collection: string }
  | { readonly kind: "form"; readonly fields: readonly FormField[]; readonly collection?: string }
  | { readonly kind: "search" };

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password" | "email" | "number" | "date";
  readonly required?: boolean;
  /** A regular expression that the complete value must match. */
  readonly pattern?: string;
  readonly options?: readonly string[];
  /** The initial value of the field. */
  readonly value?: string;
}
