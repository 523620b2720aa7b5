/** The functions of a session with which the form or the object of a task is searched for there. */
import type { RemovalPage } from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type { SessionPage } from "../../../machines/session/page/session-page-links-and-forms.ts";
import type { PressedSession } from "./open-form-behind-button.ts";

/** The session in which a form or an object is searched for. */
export interface SearchedSession extends PressedSession {
  page(): Promise<SessionPage>;
  /** Opens an address. Returns `false` if the page could not be opened. */
  open(url: string): Promise<boolean>;
  /** Returns the elements and texts of the page. */
  removalPage(): Promise<RemovalPage>;
  /** Performs an action of a route. Returns `false` if it failed. */
  act(action: Action): Promise<boolean>;
}
