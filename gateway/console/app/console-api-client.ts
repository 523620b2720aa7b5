/**
 * Calls Cairn's REST routes and tools from the console. A failure becomes an `ApiError` with Cairn's own code
 * and advice.
 */
import { hostPage } from "./facts-in-console-document.ts";

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    status: number,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** Converts a thrown value to an error that a view can show. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError("console.failed", thrown instanceof Error ? thrown.message : String(thrown), 0);
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

async function errorOf(response: Response): Promise<ApiError> {
  // The answer may come from a proxy between browser and Cairn. It may then be no JSON.
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  const { code = `http.${response.status}`, message, details } = body.error ?? {};
  return new ApiError(
    code,
    message ?? `Cairn answered ${response.status}. Try again, or read its log.`,
    response.status,
    details,
  );
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Calls a route. Throws `ApiError`. If the console session has ended, it opens the sign-in page instead. */
export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (hostPage.token !== "") headers["x-cairn-csrf"] = hostPage.token;
  const response = await fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(
      "console.unreachable",
      "Cairn does not answer. Check that it runs; the console tries again.",
      0,
    );
  });
  if (response.status === 401) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  if (!response.ok) throw await errorOf(response);
  // The cast is unchecked: the route's schema defines the answer, and the caller states the answer's type.
  return (await response.json()) as Answer;
}

export const get = <Answer>(path: string): Promise<Answer> => call("GET", path);
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> => call("POST", path, body);

/** Calls a tool. A result that reports a failure is thrown as an error too. */
export async function callTool<Answer>(
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const answer = await post<Answer>("/mcp/tools/call", { tool, arguments: args });
  const { success, status, error, code, data } = answer as {
    readonly success?: boolean;
    readonly status?: string;
    readonly error?: string;
    readonly code?: string;
    readonly data?: { readonly code?: string; readonly [field: string]: unknown };
  };
  if (success === false || status === "error") {
    throw new ApiError(data?.code ?? code ?? "tool.failed", error ?? `${tool} failed.`, 200, data);
  }
  return answer;
}

/** Builds a path with encoded parts: `path("/api/actors", kind, id)`. */
export function path(base: string, ...parts: readonly string[]): string {
  return [base, ...parts.map(encodeURIComponent)].join("/");
}

/** Builds a query string from the values that are defined. */
export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
