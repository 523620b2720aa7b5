/** Reads the responses to the GraphQL mutations of a page, because they may report errors with a status of success. */
import {
  errorsOfGraphQlResponse,
  isMutation,
} from "../../../../machines/session/actions/graphql-requests-and-responses.ts";
import type { Session } from "../../chromium/devtools-connection.ts";

/** An answered request of a script, and what its response reports. */
export interface ReportedWrite {
  /** Body of the request. `undefined` if the browser did not report it, as for a file or a very long body. */
  readonly body: string | undefined;
  /** The errors that a server reports in a response with a status of success, as GraphQL does. */
  errors?: readonly string[];
  /** Whether the response may report errors, but has not been read yet. */
  isUnread?: boolean;
}

export class GraphQlMutations {
  readonly #session: Session;
  /** The answered mutations whose responses have not ended, by the ids of their requests. */
  readonly #unread = new Map<string, ReportedWrite>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Must be called when the response to a write begins. A write that is no mutation is ignored. */
  add(requestId: string, write: ReportedWrite): void {
    if (!isMutation(write.body)) return;
    write.isUnread = true;
    this.#unread.set(requestId, write);
  }

  /** Whether a request is a mutation that was answered, but whose response was not read. */
  has(requestId: string): boolean {
    return this.#unread.has(requestId);
  }

  /** Reads the errors of a response that has ended. */
  async read(requestId: string): Promise<void> {
    const write = this.#unread.get(requestId);
    if (!write) return;
    try {
      const { body, base64Encoded } = await this.#session.send("Network.getResponseBody", { requestId });
      write.errors = base64Encoded ? [] : errorsOfGraphQlResponse(body);
    } catch {
      // The browser no longer has the body of the response, because the page has opened another document or
      // the body is too long. Then only the HTTP status shows whether the write succeeded.
      write.errors = [];
    }
    this.forget(requestId);
  }

  /** Must be called when a request fails. */
  forget(requestId: string): void {
    const write = this.#unread.get(requestId);
    if (write) write.isUnread = false;
    this.#unread.delete(requestId);
  }
}
