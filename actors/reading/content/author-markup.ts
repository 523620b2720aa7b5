/** Recognises people on pages by class names and by the addresses of their profiles. */

/**
 * Matches class names of elements that contain an author. Some words may occur anywhere in the class name;
 * others, such as `by`, must be the complete class name.
 */
export const AUTHOR_CLASS =
  /(?:^|[-_ ])(?:author|user|username|nick|nickname|poster|byline|sender|creator|member|displayname)(?:$|[-_ ])|(?:^| )(?:name|fn|by|from)(?:$| )/i;
export const AUTHOR_PATH =
  /\/(?:u|users?|members?|profiles?|people|authors?|person|account)\/|[?&](?:u|uid|user|member|author|action=profile)(?:=|;|&|$)|^mailto:|\/~|memberlist/i;
