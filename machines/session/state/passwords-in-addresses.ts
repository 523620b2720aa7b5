/**
 * Masks passwords in addresses. A page may put a typed password into its address, and addresses are stored in maps,
 * histories and logs. Tokens are not masked, because an address may not work without its token.
 */
import { MASK, namesPassword } from "../../inspection/names-of-secret-fields.ts";

/** Matches a value that is no password, although its parameter is named like one: `show_password=1`. */
const SWITCH = /^(?:|[01]|true|false|yes|no|on|off)$/i;
/** Matches the name of a parameter with a token, such as `reset_password_token` of Devise, or `password_reset_key`. */
const TOKEN = /(?:token|key|code)\]?$/i;

/**
 * Masks in an address the value of each parameter whose name is that of a password, such as `new_password`.
 * Switches, such as `show_password=1`, are not masked.
 */
export function withoutPasswords(url: string): string {
  if (!url.includes("=")) return url;
  return url.replace(
    /([?&;#])([^=&;#?]{1,100})=([^&;#]*)/g,
    (whole, before: string, name: string, value: string) =>
      !SWITCH.test(value) && isOfPassword(decoded(name)) ? `${before}${name}=${MASK}` : whole,
  );
}

const isOfPassword = (name: string): boolean => namesPassword(name) && !TOKEN.test(name);

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A name that is not encoded as a URI component is compared as it is.
    return name;
  }
}
