/**
 * Classifies elements by what they would change, based on their words, icons and attributes. Explorations use
 * the classes, because they must not change data. Only verb forms match, because "Payments" and "Sent" are
 * names of screens.
 */

import { closesAccount, namesView, plainWords } from "./risk-words.ts";

export const riskClasses = [
  "delete",
  "pay",
  "send",
  "publish",
  "invite",
  "account",
  "submit",
  "upload",
  "logout",
] as const;
export type RiskClass = (typeof riskClasses)[number];

/** For each risk class, its words and phrases in lower case. A phrase must match complete words of a name. */
const WORDS: Readonly<Record<RiskClass, readonly string[]>> = {
  delete: [
    ..."delete remove erase destroy wipe purge discard trash unlink uninstall clear empty clean obliterate drain".split(
      " ",
    ),
    ..."löschen lösche entfernen leeren verwerfen supprimer effacer retirer vider eliminar borrar quitar vaciar".split(
      " ",
    ),
    ..."elimina eliminare cancella cancellare rimuovi rimuovere svuota svuotare".split(" "),
    ..."excluir apagar remover esvaziar verwijder verwijderen leegmaken".split(" "),
  ],
  pay: [
    ..."pay buy purchase checkout donate upgrade bezahlen kaufen bestellen zahlungspflichtig".split(" "),
    ..."payer acheter commander pagar comprar".split(" "),
    ..."paga pagare acquista acquistare betaal betalen koop kopen afrekenen".split(" "),
    "order now",
    "place order",
    "check out",
    "top up",
    "ordina ora",
  ],
  send: [
    ..."send resend reply share senden absenden versenden antworten teilen".split(" "),
    ..."envoyer répondre partager enviar responder compartir".split(" "),
    ..."invia inviare spedisci rispondi condividi condividere".split(" "),
    ..."compartilhar partilhar verstuur versturen verzend verzenden beantwoorden delen".split(" "),
  ],
  publish: [
    ..."publish unpublish deploy promote merge veröffentlichen publier déployer publicar desplegar".split(
      " ",
    ),
    ..."pubblica pubblicare publiceer publiceren".split(" "),
  ],
  invite: [..."invite einladen inviter invitar invita invitare convidar uitnodigen".split(" ")],
  account: [
    ..."deactivate terminate revoke unsubscribe transfer reset disable block ban suspend restart reboot".split(
      " ",
    ),
    ..."shutdown kündigen überweisen deaktivieren zurücksetzen résilier désactiver réinitialiser".split(" "),
    ..."desactivar restablecer retry rerun stop pause subscribe".split(" "),
    ..."disattiva disattivare disdici disdire blocca bloccare trasferisci sospendi ripristina".split(" "),
    ..."desativar bloquear transferir blokkeren deactiveren opzeggen overmaken".split(" "),
    "change password",
    "cancelar cuenta",
  ],
  submit: [
    ..."save submit apply confirm approve reject accept decline register speichern absenden bestätigen".split(
      " ",
    ),
    ..."übernehmen enregistrer valider confirmer guardar aceptar confirmar like unlike follow unfollow vote".split(
      " ",
    ),
    ..."upvote downvote archive unarchive star unstar".split(" "),
    ..."salva salvare conferma confermare accetta rifiuta approva registrati firmare firmar".split(" "),
    ..."salvar aceitar aprovar opslaan bevestigen toepassen accepteren weigeren goedkeuren indienen".split(
      " ",
    ),
    ..."sign signer unterschreiben unterzeichnen ondertekenen assinar".split(" "),
    "sign up",
    "log in",
    "sign in",
  ],
  upload: [..."upload hochladen téléverser subir".split(" ")],
  logout: [
    ..."logout signout logoff abmelden ausloggen déconnexion déconnecter esci disconnetti sair uitloggen".split(
      " ",
    ),
    "log out",
    "log off",
    "sign out",
    "sign off",
    "se déconnecter",
    "cerrar sesión",
    "salir",
  ],
};

/** Names of icons that indicate a risk. They are searched for in CSS classes and file names. */
const ICONS: readonly (readonly [RegExp, RiskClass])[] = [
  [
    /(?:^|[-_ ])(?:trash(?:-?can|-?bin)?|(?:dust|waste|garbage|recycle|litter)?-?bin|delete(?!d)\w*|remove(?!d|format)\w*|eraser?|garbage|rubbish|waste[- ]?basket)(?:$|[-_ \d])/i,
    "delete",
  ],
  [/(?:^|[-_ ])(?:send|paper-?plane|reply|share)(?:$|[-_ \d])/i, "send"],
  [/(?:^|[-_ ])(?:log-?out|sign-?out|power(?:-?off)?|exit)(?:$|[-_ \d])/i, "logout"],
  [/(?:^|[-_ ])(?:save|floppy-?disk)(?:$|[-_ \d])/i, "submit"],
  [/(?:^|[-_ ])(?:upload|file-?import)(?:$|[-_ \d])/i, "upload"],
];
/** Words in ids, CSS classes and test ids that indicate a control which changes data. */
const IDENTIFIERS: readonly (readonly [RegExp, RiskClass])[] = [
  [/(?:^|[-_ ])(?:delete|remove|destroy|trash|danger)(?:$|[-_ ])/i, "delete"],
  [/(?:^|[-_ ])(?:log-?out|sign-?out)(?:$|[-_ ])/i, "logout"],
  [/(?:^|[-_ ])(?:pay|buy|purchase|checkout)(?:$|[-_ ])/i, "pay"],
  [/(?:^|[-_ ])(?:send|publish)(?:$|[-_ ])/i, "send"],
  [/(?:^|[-_ ])(?:submit|save)(?:$|[-_ ])/i, "submit"],
];
/** Attributes that pages use to mark controls which change data. */
const ATTRIBUTES: Readonly<Record<string, RiskClass>> = {
  "data-method": "submit",
  formmethod: "submit",
  formaction: "submit",
  "data-confirm": "submit",
  "data-turbo-method": "submit",
  "data-turbo-confirm": "submit",
  "hx-post": "submit",
  "hx-put": "submit",
  "hx-patch": "submit",
  "hx-delete": "delete",
  "data-delete": "delete",
  ping: "send",
};
/**
 * Maximum number of words in the name of a control. A longer text, such as the title of an article, contains
 * a risky word only by chance.
 */
const NAME_WORDS = 6;

/** The name of the button that ends the reading aloud of an article. It stops nothing on the server. */
const READING_ALOUD = "stop reading";

/** Returns the risk class that the words of a name indicate. */
export function riskOfName(name: string): RiskClass | undefined {
  const plain = plainWords(name);
  const words = plain.trim();
  if (words === "" || words.split(" ").length > NAME_WORDS || namesView(name)) return undefined;
  if (words === READING_ALOUD) return undefined;
  const contains = (one: RiskClass): boolean => WORDS[one].some((word) => plain.includes(` ${word} `));
  const found = riskClasses.find(contains);
  // "Sign out" also contains the verb "sign" of the class `submit`, as in "Sign the contract".
  if (found === "submit" && contains("logout")) return "logout";
  return found ?? (closesAccount(words) ? "account" : undefined);
}

export interface RiskSigns {
  readonly name: string;
  /** The name of the icon that the element shows. */
  readonly icon?: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Returns the risk class of an element; `undefined` when its name, icon and attributes indicate no change of
 * data.
 */
export function riskOf({ name, icon, attributes }: RiskSigns): RiskClass | undefined {
  const named =
    riskOfName(name) ?? riskOfName(attributes.title ?? "") ?? riskOfName(attributes["aria-label"] ?? "");
  if (named) return named;
  for (const [attribute, one] of Object.entries(ATTRIBUTES)) {
    const value = attributes[attribute];
    if (value !== undefined && !/^get$/i.test(value)) return one;
  }
  if (attributes.href !== undefined && isWritingAddress(attributes.href)) return "logout";
  const identifiers = `${attributes.id ?? ""} ${attributes.class ?? ""} ${attributes["data-testid"] ?? ""}`;
  return (
    IDENTIFIERS.find(([words]) => words.test(identifiers))?.[1] ??
    (icon === undefined ? undefined : ICONS.find(([words]) => words.test(icon))?.[1])
  );
}

const SIGN_OUT = /(?:^|[/=])(?:log[-_]?out|log[-_]?off|sign[-_]?out|sign[-_]?off)(?:\.\w+)?\/?(?:$|[?&#])/i;
/**
 * Verbs of addresses that change an item. "Archive" is left out, because it is usually a noun
 * (`/archive/2024`).
 */
const VERB =
  "(?:delete|remove|destroy|purge|unsubscribe|publish|send|pay|approve|cancel)(?:\\.(?!html?\\b)\\w+)?";
const NO_VERSION = "(?!v\\d|\\d+\\.)";
/**
 * Verbs that change the state of an item. They also occur in guides (`/angular2/enable`), so they only count
 * next to an id: a number, a UUID, a key such as `PROJ-12`, or a token.
 */
const STATE_VERBS =
  "activate|deactivate|enable|disable|accept|reject|decline|confirm|reopen|restore|unlock|toggle|" +
  "follow|unfollow|unstar|unban|upvote|downvote|mark[-_]?(?:as[-_]?)?(?:un)?read|move[-_]?(?:up|down)";
/**
 * Verbs that may also be names of screens or pages, as in `/stop/12` and `/vote?page=2`. In a path, they
 * count as verbs only after an id.
 */
const VERBS_AFTER_ID = "start|stop|lock|star|vote|like|unlike|ban";
/**
 * Verbs that may also be steps of a user interface: `?do=close` closes a dialog, and "up" leads to the parent
 * folder. They count as verbs only after an id, or in a parameter next to an id.
 */
const VERBS_WITH_ID = "close|up|down";
/**
 * Verbs that count only as the value of a parameter such as `action`, because in a path they are usually
 * nouns or views. Examples are `?Action=Take` (Request Tracker), `?action=unwatch` (MediaWiki), `?act=del`
 * (pfSense) and `?action=setdraft` (Dolibarr). "Assign" is left out, because an address that names no person
 * only opens a form.
 */
const PARAMETER_VERBS =
  "take|untake|steal|claim|unassign|resolve|watch|unwatch|bookmark|unbookmark|subscribe|pin|unpin|" +
  "hide|unhide|unarchive|duplicate|del|delete(?!d)[_-]?[a-z]+|remove(?!d)[_-]?[a-z]+|" +
  "take[_-]?ownership|set(?!ting|tle|up|lists?\\b|s\\b)[_-]?[a-z]+";
/** The start of a parameter. Some applications separate parameters by `;`, or begin names with `@` or `:`. */
const PARAMETER = "[?&;](?:@|:|%40|%3A)?";
const PARAMETER_END = "(?:$|[&;#])";
/**
 * Parameters with a token against forged requests. Applications add these parameters only to links that
 * change something (Moodle, WordPress, MyBB, vBulletin).
 */
const FORGERY_TOKENS = "sesskey|_wpnonce|my_post_key|securitytoken";
/**
 * Matches a parameter with a token against forged requests, by its name and a value that looks like one: at least 16
 * characters with a digit. Links that change something have such a parameter: `csrf_token` (Kanboard, Flask-WTF),
 * `_csrf` (Spring, csurf), `YII_CSRF_TOKEN` (Yii), `_token` (Laravel, Symfony), `_xsrf` (Tornado), `requesttoken`
 * (Nextcloud). The tokens of Plone, Django and Rails are left out (see `WRITES_OF_SESSION`): harmless links and
 * searches have them too.
 */
const FORGERY_TOKEN_BY_NAME =
  /[?&;](?!csrfmiddlewaretoken=)(?:[\w.-]*(?:csrf|xsrf)[\w.-]*|_token|requesttoken|__requestverificationtoken)=(?=[^&;#]*\d)[^&;#]{16,}/i;
const ITEM_ID = "(?:\\d+|[a-z]+-\\d+|(?=[\\da-f-]*\\d)[\\da-f-]{8,}|(?=\\w*\\d)\\w{16,})";
const YEAR = "(?:19|20)\\d\\d";
/** A parameter whose value is the id of an item. */
const ID_PARAMETER = `[?&;]\\w+=${ITEM_ID}(?:$|[&;#])`;
/**
 * Matches addresses of requests that change an item. They contain a verb before or after the item's id or in
 * a parameter (`/items/3/delete`, `/delete/3`, `?action=delete`), or a token against forged requests. Two kinds of addresses do not match: those
 * with a version instead of an id (`/docs/v2/delete`), and HTML files.
 */
const WRITES: readonly RegExp[] = [
  new RegExp(`/${NO_VERSION}[^/?#]*\\d[^/?#]*/${VERB}/?(?:$|[?#])`, "i"),
  new RegExp(`/${VERB}/${NO_VERSION}[^/?#]*\\d`, "i"),
  new RegExp(`/${VERB}/?\\?`, "i"),
  new RegExp(
    `${PARAMETER}(?:action|a|do|op|cmd|task|method|_method|mode)=(?:\\w+\\.)?(?:${VERB}|${STATE_VERBS}|${VERBS_AFTER_ID})${PARAMETER_END}`,
    "i",
  ),
  new RegExp(
    `^(?=.*${ID_PARAMETER}).*${PARAMETER}(?:action|a|do|op|cmd|task|mode)=(?:${VERBS_WITH_ID})${PARAMETER_END}`,
    "i",
  ),
  new RegExp(`${PARAMETER}(?:action|act|do|op|cmd|subaction)=(?:${PARAMETER_VERBS})${PARAMETER_END}`, "i"),
  // Matches a verb as the name of a parameter whose value is the item's id, such as `?delete=12` (Moodle) and
  // `?MoveScripDown=4` (Request Tracker).
  new RegExp(
    `${PARAMETER}(?:delete|remove|move)(?!d|ment|\\w*(?:filter|facet))\\w*=\\d+${PARAMETER_END}`,
    "i",
  ),
  // Matches the name of a form's button as a parameter of a link, such as `?id=1;Update=1` (Request Tracker)
  // and `?purge=1` (GLPI). "Reset" is left out, because harmless links have it too: each link of CiviCRM has
  // `reset=1`, and so have links that clear the filters of a list.
  new RegExp(
    `${PARAMETER}(?:update|save|submit(?!ted)(?!\\w*(?:search|filter))[a-z_]+|confirm|purge)=(?:1|true|yes)${PARAMETER_END}`,
    "i",
  ),
  new RegExp(`${PARAMETER}(?:${FORGERY_TOKENS})=\\w`, "i"),
  FORGERY_TOKEN_BY_NAME,
  new RegExp(`/${ITEM_ID}/(?:${STATE_VERBS})/?(?:$|[?#])`, "i"),
  new RegExp(`/(?:${STATE_VERBS})/${ITEM_ID}/?(?:$|[?#])`, "i"),
  new RegExp(`/(?:${STATE_VERBS})/?\\?(?:.*[&;])?(?:id|uid|key|token|\\w+_id|\\w+Id)=`, "i"),
  // Matches a verb, the type of the item, and a parameter with the item's id: `/confirm/order?id=3`.
  // Parameters such as `customer_id` are left out here: `/confirm/orders?customer_id=3` may only show the
  // orders of a customer.
  new RegExp(`/(?:${STATE_VERBS})/[a-z_-]+/?\\?(?:.*[&;])?(?:id|uid|key|token)=`, "i"),
  // Matches addresses that make an item the default one: `/types/3/default/` in pretalx,
  // `/addresses/3/default/billing/` in django-oscar.
  new RegExp(`/${ITEM_ID}/(?:(?:make|set)[_-])?default(?:/[a-z_-]+)?/?(?:$|[?#])`, "i"),
  new RegExp(`/(?!${YEAR}/)${ITEM_ID}/(?:${VERBS_AFTER_ID}|${VERBS_WITH_ID})/?(?:$|[?#])`, "i"),
];

/**
 * Whether the words of an address indicate that opening the address changes something: it signs out, deletes
 * an item, or changes the state of an item.
 */
export function isWritingAddress(url: string): boolean {
  return SIGN_OUT.test(url) || WRITES.some((pattern) => pattern.test(url));
}

/**
 * Verbs of work that an application does again or at once. They are never names of screens, so they count as the last
 * segment of a path too: `/feed/{n}/refresh` and `/feeds/refresh` in Miniflux.
 */
const REPEATING_VERBS =
  "refresh|resync(?:hroni[sz]e)?|retry|rerun|requeue|reparse|reprocess|reindex|rebuild|recalculate|recompute|" +
  "regenerate|refetch";
/** Verbs that count only next to an id, because `/settings/sync` may be a screen: `/reload/{n}` in wallabag. */
const VERBS_OF_WORK = "sync|synchroni[sz]e|reload|parse|fetch";
/** Verbs that are nouns too, as in `/run_log/3`. They count only at the start of a name in camel case (`/runJob/3`). */
const VERBS_IN_CAMEL_CASE = "run|trigger|sync|parse|fetch|execute|resend";
/**
 * Last words of names that show something and change nothing. A plural is a list or a view too, as in
 * `/parse_results/3` and `/refreshTokens/3`.
 */
const VIEW_WORDS =
  "log|history|list|result|report|info|view|page|config|template|time|rule|type|group|plan|queue|event|" +
  "status|detail|setting|token|rate|interval|\\w*s";
/** Matches an address segment that identifies an item: an id, or a signed token such as those of itsdangerous. */
const ID_OR_TOKEN = `(?:${ITEM_ID}|(?=[^/?#]*\\d)(?=[^/?#]*[a-z])(?=[^/?#]*[A-Z])[\\w.~-]{24,})`;

/**
 * Matches addresses that change something when a signed-in user opens them. Explorations without a sign-in do not use
 * these patterns: in manuals, some of the words are names of pages, such as `/components/toggle`.
 *
 * - A switch as the last segment: `/schedule/toggle` and `/talks/{code}/toggle_featured` in pretalx,
 *   `/job/{name}/{n}/toggleLogKeep` in Jenkins.
 * - Messages that are sent again: `/schedule/resend_mails` in pretalx, `/group_members/{n}/resend_invite` in GitLab.
 * - A copy of an item: `/mails/{n}/copy` in pretalx, `/invoices/{n}/duplicate` in Akaunting. In Wagtail and Redmine,
 *   such an address only opens a form, but it matches too, because its words are the same.
 * - The language of the account: `/locale/set` in pretalx and Spree, `/lang/fr` in I Hate Money and Flask-AppBuilder,
 *   `/switch-locale/fr_FR` in Sylius. All later pages would be read in another language.
 * - A function that is switched on or off: `/ical_import_settings/enable` in Plone, `/settings/2fa/enable` in pretix
 *   (which asks first).
 * - A step of a workflow: `?workflow_action=publish` in Plone, `/WorkflowUIDispatcher.jspa?action=21` in Jira. An
 *   address with a word, such as `/workflows?action=new`, may open a form and does not match.
 * - How the account sees a list: `?action=toggleSorting` and `?action=collapse` in Kanboard, `?action=collapse;c=1` in
 *   Simple Machines Forum.
 * - The clipboard of an application, which may lock an item: `/object_cut` in Plone, `/manage_cutObjects` in Zope.
 * - A token against forged requests. Plone also adds it to harmless links, which explorations open without the token.
 * - Work that the application does again: `/feed/{n}/refresh` in Miniflux, `/reload/{n}` in wallabag,
 *   `/parseDagFile/{token}` in Airflow.
 */
const WRITES_OF_SESSION: readonly RegExp[] = [
  /\/(?:enable|disable|activate|deactivate)\/?(?:$|[?#])/i,
  /[?&;]workflow[_-]?(?:action|transition)=\w|\/workflow[^/?#]*\?(?:.*[&;])?action=\d/i,
  /[?&;](?:action|act|do|op|cmd)=(?:toggle\w*|collapse|expand)(?:$|[&;#])/i,
  /\/(?:object|manage)_(?:cut|paste)(?:Objects)?\/?(?:$|[?#])/,
  /[?&;](?:_authenticator|csrfmiddlewaretoken|authenticity_token)=\w/i,
  /\/toggle(?:[-_][a-z_-]+|[A-Z]\w*)?\/?(?:$|[?#])/,
  /\/resend(?:[-_][a-z_-]+)?\/?(?:$|[?#])/i,
  new RegExp(`/${ITEM_ID}/(?:copy|duplicate|clone)/?(?:$|[?#])`, "i"),
  /\/(?:locale|language|lang)\/(?:set|change|switch)\/?(?:$|[?#])/i,
  /\/(?:lang|(?:switch|change|set)[-_](?:lang|language|locale))\/[a-z]{2,3}(?:[-_][a-z\d]{2,4}){0,2}\/?(?:$|[?#])/i,
  new RegExp(`/(?:${REPEATING_VERBS})(?:[-_](?:all|now))?/?(?:$|[?#])`, "i"),
  new RegExp(`/${ITEM_ID}/(?:${VERBS_OF_WORK})/?(?:$|[?#])`, "i"),
  new RegExp(`/(?:${REPEATING_VERBS}|${VERBS_OF_WORK})/${ID_OR_TOKEN}/?(?:$|[?#])`, "i"),
  new RegExp(
    `/(?:${REPEATING_VERBS})(?:[-_][a-z\\d]+)*[-_](?!(?:${VIEW_WORDS})/)[a-z]+/${ID_OR_TOKEN}/?(?:$|[?#])`,
  ),
  new RegExp(
    `/(?:${REPEATING_VERBS}|${VERBS_IN_CAMEL_CASE})(?:[A-Z][a-z]+)*(?!(?:${capitalised(VIEW_WORDS)})/)[A-Z][a-z]+/${ID_OR_TOKEN}/?(?:$|[?#])`,
  ),
];

/** Returns a list of alternatives in a pattern whose words begin with a capital letter. */
function capitalised(words: string): string {
  return words.replace(
    /(^|\|)([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

/** Whether opening an address changes something if the user is signed in. */
export function isWritingAddressOfSession(url: string): boolean {
  return isWritingAddress(url) || WRITES_OF_SESSION.some((pattern) => pattern.test(url));
}
