/**
 * Recognises folders with the pages of a site in another language, such as `/fr/projects` beside `/projects`
 * (Nuxt i18n, Docusaurus, Django). A translation is no screen of its own.
 */
import { isLanguage } from "../exploration/language-switch-links.ts";
import type { ScreenAddress } from "./page-address-positions.ts";

/**
 * A folder is that of a language only if the site has at least this number of its pages in another language too. An
 * abbreviation such as `/it` may name a department.
 */
const TRANSLATED_PAGES = 3;
/** The share (0 to 1) of the folder's pages that the site must have in another language. */
const TRANSLATED_SHARE = 0.5;

/** Returns a function that removes the folder of a language from the beginning of an address. */
export function withoutLanguageFolders(
  addresses: readonly ScreenAddress[],
): (address: ScreenAddress) => ScreenAddress {
  /** For each address without its first segment: the languages in which the site has the page, "" for none. */
  const languages = new Map<string, Set<string>>();
  const inFolder = new Map<string, string[]>();
  for (const address of addresses) {
    const folder = languageFolder(address);
    const rest = textOf(folder === undefined ? address : withoutFirst(address));
    languages.set(rest, (languages.get(rest) ?? new Set()).add(folder ?? ""));
    if (folder !== undefined) inFolder.set(folder, [...(inFolder.get(folder) ?? []), rest]);
  }
  const folders = new Set(
    [...inFolder].flatMap(([folder, rests]) => {
      const translated = rests.filter((rest) => (languages.get(rest)?.size ?? 0) > 1).length;
      const isEnough = translated >= TRANSLATED_PAGES && translated >= TRANSLATED_SHARE * rests.length;
      return isEnough ? [folder] : [];
    }),
  );
  return (address) => (folders.has(languageFolder(address) ?? "") ? withoutFirst(address) : address);
}

/** Returns the host and the first segment of an address that begins with a language. */
function languageFolder({ host, path: [first] }: ScreenAddress): string | undefined {
  return first !== undefined && isLanguage(first.value) ? `${host}/${first.value}` : undefined;
}

function withoutFirst({ host, path, query }: ScreenAddress): ScreenAddress {
  return { host, path: path.slice(1), query };
}

function textOf({ host, path, query }: ScreenAddress): string {
  const parameters = query.map(({ name, masked }) => `${name}=${masked}`);
  return [host, ...path.map(({ masked }) => masked), "?", ...parameters].join("\n");
}
