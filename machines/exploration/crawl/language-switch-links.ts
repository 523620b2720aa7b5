/**
 * Recognises links that switch the language of a visitor's session. After such a link was opened, an application
 * sends all later pages in the other language. Links to translations with addresses of their own are not such links.
 */
import { urlKey } from "./normalise-url.ts";

/**
 * Names of parameters that select the language of a page: `lang` in Gogs and phpMyAdmin, `set_language` in Plone,
 * `locale` in Spree, `languageId` in Liferay, `hl` and `uselang` in Google's sites and MediaWiki.
 */
const LANGUAGE_PARAMETER =
  /^(?:set[-_]?)?(?:lang|lng|language|locale)(?:id)?$|^(?:ui[-_]?|use|interface[-_]?)(?:lang|language|locale)$|^hl$/i;
/**
 * Matches addresses that set the language of the session: `/lang/fr` in I Hate Money and Flask-AppBuilder,
 * `/switch-locale/fr_FR` in Sylius, `/locale/set?locale=fr` in pretalx and Spree. One of its groups captures
 * the language.
 */
const SETTING =
  /\/(?:lang|(?:switch|change|set)[-_]?(?:lang|language|locale))\/([^/?#]+)\/?(?:$|[?#])|\/(?:(?:locale|language|lang)\/(?:set|change|switch)|(?:switch|change|set)[-_]?(?:lang|language|locale))\/?\?(?:.*[&;])?(?:lang|language|locale)=([^&;#]+)/i;
const LANGUAGE_CODE = /^[a-z]{2,3}(?:[-_](?:[a-z]{4}|[a-z]{2}|\d{3})){0,2}$/i;
const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

export interface LinkingPage {
  /** The normalised address of the page. */
  readonly url: string;
  /** The normalised addresses to which the page links. */
  readonly links: readonly string[];
  /** The normalised addresses that the page declares as its translations (`hreflang`). */
  readonly translations: readonly string[];
}

/**
 * Returns the links of a page that switch the language of the session. There are three kinds:
 *
 * - Addresses that set the language, such as `/lang/fr`, unless other addresses are below, as in `/lang/fr/help`.
 * - The page's own address, or that of the start page, with another parameter for the language: `?lang=fr`.
 * - Addresses with a parameter for the language and another one with the page to which the site returns:
 *   `/translation-mode/?next=/plan/new/&language=eo` in Kiwi TCMS, `/c/portal/update_language?redirect=…` in Liferay.
 *   The site must return to the page with the link. Pages with forms, such as the sign-in, do not count.
 *
 * If one link of a kind contains something other than a language, as `/lang/php` and `?lang=php` do, no link of this
 * kind counts.
 */
export function languageSwitches({ url, links, translations }: LinkingPage): ReadonlySet<string> {
  const declared = new Set(translations.map(urlKey));
  const open = links.filter((link) => link !== url && !declared.has(urlKey(link)));
  const settings = open.flatMap((link): readonly Switch[] => {
    const [, inPath, inQuery] = SETTING.exec(link) ?? [];
    const language = inPath ?? inQuery;
    return language === undefined || (inPath && isFolder(link, [url, ...links]))
      ? []
      : [{ link, languages: [language] }];
  });
  const own = withoutLanguage(url).rest;
  const start = urlKey(URL.parse("/", url)?.href ?? url);
  const views = open.flatMap((link): readonly Switch[] => {
    const { rest, languages } = withoutLanguage(link);
    if (languages.length === 0) return [];
    return rest === own || rest === start || returnsTo(link, url) ? [{ link, languages }] : [];
  });
  return new Set(
    [settings, views]
      .filter((some) => some.every(({ languages }) => languages.every(isLanguage)))
      .flatMap((some) => some.map(({ link }) => link)),
  );
}

interface Switch {
  readonly link: string;
  readonly languages: readonly string[];
}

/**
 * Whether a link such as `/lang/fr` leads to a folder of pages and switches no language. This is so if pages
 * are below such a folder, as at `/lang/en/help`.
 */
function isFolder(link: string, addresses: readonly string[]): boolean {
  const folder = link.replace(/[^/]+\/?(?:[?#].*)?$/, "");
  return addresses.some(
    (other) => other.startsWith(folder) && /^[^/?#]+\/[^/?#]/.test(other.slice(folder.length)),
  );
}

/**
 * Matches the path of a page with a form, such as a sign-in, a new item or a translation. A link to such a
 * page may contain a language and a page to return to, but it does not switch the language of the session.
 */
const FORM =
  /\/(?:(?:log|sign)[-_]?(?:in|up)|register|auth|new|add|create|edit|editor|translate|translations?)(?:\.\w+)?\/?$/i;

/**
 * Whether `link` has a parameter with the address of `page`, to which the site then returns. Links to pages
 * with forms do not count.
 */
function returnsTo(link: string, page: string): boolean {
  const [target, own] = [new URL(link), new URL(page)];
  if (target.pathname === own.pathname || FORM.test(target.pathname)) return false;
  return [...target.searchParams.values()].some((value) => {
    const back = /^(?:\/|https?:)/i.test(value) ? URL.parse(value, page) : null;
    // Only the paths are compared, because the address to return to may lack the parameters of the page (Kiwi
    // TCMS).
    return back?.origin === own.origin && back.pathname === own.pathname;
  });
}

/** Returns the key of an address without its parameters for the language, and the languages that they select. */
function withoutLanguage(url: string): { readonly rest: string; readonly languages: readonly string[] } {
  if (!url.includes("?")) return { rest: urlKey(url), languages: [] };
  const parsed = new URL(url);
  const languages: string[] = [];
  for (const [name, value] of [...parsed.searchParams]) {
    if (!LANGUAGE_PARAMETER.test(name)) continue;
    languages.push(value);
    parsed.searchParams.delete(name);
  }
  return { rest: urlKey(languages.length > 0 ? parsed.href : url), languages };
}

/** Whether a value is the code of a language, such as `fr` or `pt-BR`. */
export function isLanguage(value: string): boolean {
  if (!LANGUAGE_CODE.test(value)) return false;
  const [code = ""] = value.split(/[-_]/);
  return languageNames.of(code.toLowerCase()) !== undefined;
}
