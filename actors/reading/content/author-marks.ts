/** Marks of people on pages: classes, and addresses of their profiles. */

/** Words anywhere in a class name, and words that are a class of their own. */
export const AUTHOR_CLASS =
  /(?:^|[-_ ])(?:author|user|username|nick|nickname|poster|byline|sender|creator|member|displayname)(?:$|[-_ ])|(?:^| )(?:name|fn|by|from)(?:$| )/i;
export const AUTHOR_PATH =
  /\/(?:u|users?|members?|profiles?|people|authors?|person|account)\/|[?&](?:u|uid|user|member|author|action=profile)(?:=|;|&|$)|^mailto:|\/~|memberlist/i;
