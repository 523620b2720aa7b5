/**
 * Recognises pages that describe a whole programming interface on one page, as Redoc and Swagger UI do. Such a page has
 * the words of nearly all functions of an application, so a search would return it before the screens with the functions.
 */

/** Methods of requests, as Redoc and Swagger UI write them. */
const METHODS = /\b(?:GET|POST|PUT|PATCH|DELETE)\b/g;
/**
 * Minimum number of different methods on a page that describes an interface. A form for a webhook has only the method
 * of one request.
 */
const DIFFERENT_METHODS = 3;
/** Statuses of refused requests. A description lists them for each operation, or once for all. */
const REFUSALS =
  /\b4(?:00|01|03|04|05|06|09|22|29)\b|\b(?:Unauthorized|Forbidden|Not ?Found|Permission ?Denied|Bad ?Request)\b/gi;
/** Minimum number of mentions of refused requests (`REFUSALS`) on a page that describes an interface. */
const STATUSES = 3;
/** Words that describe the body of a request or an answer. */
const BODIES =
  /\b(?:application\/json|request (?:body|samples?)|response samples?|responses?|(?:query|path) parameters?|schemas?)\b/gi;
/** Minimum number of mentions of bodies (`BODIES`) on a page that describes an interface. */
const BODY_WORDS = 5;
/**
 * Minimum number of headings on a page that describes an interface. Redoc and Swagger UI have at least one for each
 * kind of things: their pages about Airflow's interface have 43 and 135 headings.
 */
const HEADINGS = 15;
/**
 * Minimum length of the page in characters. A search does not check whether shorter pages describe an
 * interface.
 */
export const SHORTEST_API_DESCRIPTION = 4_000;

/** Whether the content of a page is the description of a programming interface. */
export function describesApi({
  content,
  headings,
}: {
  readonly content: string;
  readonly headings: readonly string[];
}): boolean {
  if (content.length < SHORTEST_API_DESCRIPTION || headings.length < HEADINGS) return false;
  return (
    new Set(content.match(METHODS)).size >= DIFFERENT_METHODS &&
    (content.match(REFUSALS)?.length ?? 0) >= STATUSES &&
    (content.match(BODIES)?.length ?? 0) >= BODY_WORDS
  );
}

/** Whether a query asks for a programming interface itself, such as "REST API reference". */
export const asksForApi = (query: string): boolean =>
  /(?<!\p{L})(?:apis?|rest|endpoints?|schnittstellen?|openapi|swagger|redoc|graphql)(?!\p{L})/iu.test(query);
