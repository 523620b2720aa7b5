/** The page of a session as explorations read pages: its links, controls and forms. */
import type { Control, PageControls } from "../records/stored-page-controls.ts";

export interface SessionPageLink {
  /** The complete address of the link's target. */
  readonly url: string;
  readonly text: string;
  readonly control: Control;
}

export interface SessionPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** The links of the page to other pages of its origin. */
  readonly links: readonly SessionPageLink[];
  /** The controls and forms of the page, without the values of fields. */
  readonly controls: PageControls;
}
