/** The links, controls and forms of a session's page, in the form in which explorations read pages. */
import type { Control, PageControls } from "../../records/page-control-records.ts";

export interface SessionPageLink {
  /** The complete address of the link's target. */
  readonly url: string;
  readonly text: string;
  readonly control: Control;
}

/** The short texts of a page and the rows of its lists. Each XPath begins at `html`. */
export interface PageTexts {
  /**
   * Visible texts in document order. Each is the text of an element with all its children, or a single text that
   * stands beside child elements.
   */
  readonly texts: readonly { readonly text: string; readonly xpath: string }[];
  /** XPaths of rows of tables, entries of lists, and articles. */
  readonly rows: readonly string[];
}

/** The short texts of a page with its name, read at one time. */
export interface PageWithTexts extends PageTexts, Pick<SessionPage, "url" | "title" | "headings"> {}

export interface SessionPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** The links of the page to other pages of its origin. */
  readonly links: readonly SessionPageLink[];
  /** The controls and forms of the page, without the values of fields. */
  readonly controls: PageControls;
  /** A sketch (compact signature) of the page's structure (machines/knowledge/screens/page-feature-sketch.ts). */
  readonly structure: string;
}
