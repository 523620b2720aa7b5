/**
 * Recognises forms of another project or event (container) than that of the page which the browser shows:
 * `/events/lantern/vouchers/add` while the browser shows `/events/regatta/vouchers`. Both events have vouchers, so
 * "create a voucher" means a voucher of the event that is shown (events of pretix, projects of GitLab and Redmine,
 * repositories of Gitea).
 */
import { percentDecoded } from "../../percent-decoding.ts";
import { stemsOf } from "../screens/operation-and-thing-of-task.ts";
import { comparedWords } from "../screens/screen-name-index.ts";

/** The pages of a map, to see which pages a container (such as a project or an event) has. */
export interface PagesOfContainers {
  /** The addresses of all pages. */
  readonly urls: readonly string[];
  /** Returns the name of the page at an address; `undefined` if the map has no such page. */
  nameOf(url: string): string | undefined;
}

/**
 * Whether a form belongs to another container, such as an event, than the page that is shown:
 * `/events/lantern/vouchers/add` while `/events/regatta` is shown. The first different segment of the form's path
 * must be the name of a container (`lantern`), and a later segment must name the thing of the task (`vouchers`). The
 * map must also have pages of this thing in the container that is shown (`/events/regatta/vouchers`). Returns false
 * if the target names the container of the form.
 */
export function isOfOtherContainer(
  form: string,
  shown: string,
  target: string,
  things: readonly string[],
  { urls, nameOf }: PagesOfContainers,
): boolean {
  const [one, other] = [URL.parse(form), URL.parse(shown)];
  if (!one || !other || one.origin !== other.origin) return false;
  const [ofForm, ofShown] = [segmentsOf(one), segmentsOf(other)];
  const at = ofForm.findIndex((segment, index) => segment !== ofShown[index]);
  const [container, shownContainer] = [ofForm[at], ofShown[at]];
  // The first segment of a path, such as `/admin`, is a section of the site and no container.
  if (at < 1 || container === undefined || shownContainer === undefined) return false;
  const isThing = (segment: string): boolean => stemsOf(segment).some((word) => things.includes(word));
  const place = ofForm.findIndex((segment, index) => index > at && isThing(segment));
  if (place === -1 || isThing(container)) return false;
  const same = [...ofForm.slice(0, at), shownContainer, ...ofForm.slice(at + 1, place + 1)];
  if (!urls.some((url) => isBelow(url, one.origin, same))) return false;
  const path = `${one.origin}/${ofForm.slice(0, at + 1).join("/")}`;
  const names = `${percentDecoded(container)} ${nameOf(path) ?? nameOf(`${path}/`) ?? ""}`;
  return comparedWords(target).isDisjointFrom(comparedWords(names));
}

function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname.split("/").filter((segment) => segment !== "");
}

function isBelow(url: string, origin: string, path: readonly string[]): boolean {
  const parsed = URL.parse(url);
  if (!parsed || parsed.origin !== origin) return false;
  const segments = segmentsOf(parsed);
  return path.every((segment, at) => segment === segments[at]);
}
