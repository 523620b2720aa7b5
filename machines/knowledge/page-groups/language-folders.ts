/**
 * Recognises folders with the pages of a site in another language, such as `/fr/projects` beside `/projects`
 * (Nuxt i18n, Docusaurus, Django). A translation is no screen of its own.
 */
import { isLanguage } from "../../exploration/crawl/language-switch-links.ts";
import type { ScreenAddress } from "../addresses/page-address-parts.ts";

/**
 * A folder is that of a language only if the site has at least this number of its addresses in another language too.
 * Addresses that differ only in numbers count as one: the tickets `/it/1` to `/it/9` of a department are no
 * translations of the post `/7`.
 */
const TRANSLATED_ADDRESSES = 3;
/**
 * A folder with fewer than `TRANSLATED_ADDRESSES` addresses is also that of a language if it has at least
 * this number, and each of them exists in at least `FOLDERS` languages. For example, an exploration of
 * doccano finds only two addresses in each of four languages.
 */
const FEW_ADDRESSES = 2;
const FOLDERS = 3;
/**
 * A folder is that of a language only if at least this share (0 to 1) of its addresses also exist in another
 * language.
 */
const TRANSLATED_SHARE = 0.5;
/**
 * Matches the codes of languages that folders of translations have. Codes with three letters, such as `new`, `run`
 * and `man`, are left out, because they are also words. So is `my`: the folder `/my` usually contains the own pages of
 * an account (Redmine, Moodle), and is rarely Burmese.
 */
const FOLDER = /^(?!my$)[a-z]{2}(?:[-_]|$)/i;

/** Returns a function that removes the folder of a language from the beginning of an address. */
export function withoutLanguageFolders(
  addresses: readonly ScreenAddress[],
): (address: ScreenAddress) => ScreenAddress {
  /**
   * For each address without its language folder: the language folders in which the site has this page, or ""
   * if the address has none.
   */
  const languages = new Map<string, Set<string>>();
  const inFolder = new Map<string, Set<string>>();
  for (const address of addresses) {
    const folder = languageFolder(address);
    const rest = textOf(folder === undefined ? address : withoutFirst(address));
    languages.set(rest, (languages.get(rest) ?? new Set()).add(folder ?? ""));
    if (folder !== undefined) inFolder.set(folder, (inFolder.get(folder) ?? new Set()).add(rest));
  }
  const folders = new Set(
    [...inFolder].flatMap(([folder, rests]) => {
      const countIn = (least: number) =>
        [...rests].filter((rest) => (languages.get(rest)?.size ?? 0) >= least).length;
      const isEnough =
        (countIn(2) >= TRANSLATED_ADDRESSES && countIn(2) >= TRANSLATED_SHARE * rests.size) ||
        (countIn(FOLDERS) >= FEW_ADDRESSES && countIn(FOLDERS) === rests.size);
      return isEnough ? [folder] : [];
    }),
  );
  return (address) => (folders.has(languageFolder(address) ?? "") ? withoutFirst(address) : address);
}

/** Returns the host and the first segment of an address, if the segment is a language. */
function languageFolder({ host, path: [first] }: ScreenAddress): string | undefined {
  return first !== undefined && isFolderName(first.value) ? `${host}/${first.value}` : undefined;
}

const isFolderName = (segment: string): boolean => FOLDER.test(segment) && isLanguage(segment);

function withoutFirst({ host, path, query }: ScreenAddress): ScreenAddress {
  return { host, path: path.slice(1), query };
}

function textOf({ host, path, query }: ScreenAddress): string {
  const parameters = query.map(({ name, masked }) => `${name}=${masked}`);
  return [host, ...path.map(({ masked }) => masked), "?", ...parameters].join("\n");
}
