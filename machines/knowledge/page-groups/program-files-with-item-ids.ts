/**
 * Finds addresses that call a program with the id of an item, such as `/Ticket/Modify.html?id=4` (Request
 * Tracker) and `/viewtopic.php?t=4` (phpBB). There the path names the screen, and only the parameter the item.
 */
import { agree, type Group } from "./page-group.ts";

const FILE_TYPE = /\.[a-z]\w{1,4}$/i;
/**
 * Matches HTML files whose name has several words. In shops such a file is an item, even with a parameter:
 * `/red-shoe.html?color=12` (Magento), `/red-shoe.html?id_category=4` (PrestaShop).
 */
const ITEM_FILE = /-[^/]*\.html?$/i;
/** Matches the masked number or id of an item. */
const ITEM = /^\{(?:n|id)\}$/;

/**
 * Whether two groups have different paths, and at least one of them shows items of a program, such as
 * `/viewtopic.php?t=4`. They are then different screens, whatever the structure of their pages is.
 */
export function differInProgram(a: Group, b: Group): boolean {
  if (!isProgram(a) && !isProgram(b)) return false;
  return a.path.length !== b.path.length || a.path.some(({ value }, at) => value !== b.path[at]?.value);
}

/**
 * Whether a name is that of a program file, such as `viewtopic.php`. Such a file shows an item if a parameter
 * contains the item's id.
 */
export function isProgramFile(name: string): boolean {
  return FILE_TYPE.test(name) && !ITEM_FILE.test(name);
}

function isProgram({ path, query }: Group): boolean {
  return isProgramFile(path.at(-1)?.value ?? "") && query.some(({ value }) => ITEM.test(value ?? ""));
}

/** Matches the name of a script that a server runs, such as `themes.php`. */
const SCRIPT = /\.(?:php\d?|phtml|aspx?|jspx?|cgi|cfm)$/i;

/** Whether the last segment of a path names a script that a server runs. */
function isScript(name: string): boolean {
  return SCRIPT.test(name);
}

/**
 * Whether the addresses of two groups name two scripts of one folder, such as `/wp-admin/import.php` and
 * `/wp-admin/export.php` (WordPress), or `/clienti.php` and `/prenota.php` (HotelDruid). Each script has a function
 * of its own.
 */
export function areDifferentScripts({ path: a }: Group, { path: b }: Group): boolean {
  const [own = "", other = ""] = [a.at(-1)?.value, b.at(-1)?.value];
  if (a.length !== b.length || own === other || !isScript(own) || !isScript(other)) return false;
  return a.every((slot, at) => at === a.length - 1 || agree(slot, b[at]));
}
