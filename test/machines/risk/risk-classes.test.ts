/** Tests which risk class the names of controls and the addresses of pages have. */
import { describe, expect, test } from "bun:test";
import {
  isWritingAddress,
  isWritingAddressOfSession,
  riskOf,
  riskOfName,
} from "../../../machines/risk/risk-classes.ts";
import { isHighRisk } from "../../../machines/risk/risk-words.ts";

describe("the risk class of a control's name", () => {
  test.each([
    ["Delete account", "delete"],
    ["Yes, remove it", "delete"],
    ["Eintrag löschen", "delete"],
    ["Supprimer", "delete"],
    ["Pay now", "pay"],
    ["Comprar", "pay"],
    ["Send", "send"],
    ["Invite", "invite"],
    ["Konto löschen", "delete"],
    ["Close my account", "account"],
    ["Konto schließen", "account"],
    ["Fermer mon compte", "account"],
    ["Cerrar cuenta", "account"],
    ["Log out", "logout"],
    ["Sign Out", "logout"],
    ["Abmelden", "logout"],
    ["Save changes", "submit"],
    ["Elimina", "delete"],
    ["Paga ora", "pay"],
    ["Esci", "logout"],
    ["Excluir conta", "delete"],
    ["Verwijderen", "delete"],
    ["Betalen", "pay"],
    ["Sign", "submit"],
  ])("is found for the name %s, in each language", (name, risk) => {
    // The cast is safe: the value comes from the table of expected risk classes above.
    expect(riskOfName(name)).toBe(risk as never);
  });

  test.each([
    "Payments",
    "Sent",
    "Senders",
    "Deleted items",
    "Invitations",
    "Published",
    "Orders",
    "My account",
    "Purchase history",
    "Transfer history",
    "Pagamenti",
    "Carica altri",
    "Firma",
    "Stop reading",
    "Close",
    "Next",
    "",
  ])("does not exist for %p, which is the name of a place", (name) => {
    expect(riskOfName(name)).toBeUndefined();
  });
});

test("closing an account is a high risk in each language, and closing a dialog is not", () => {
  for (const text of ["Close my account", "Konto schließen", "Fermer le compte", "Cancelar mi cuenta"])
    expect([text, isHighRisk(text)]).toEqual([text, true]);
  expect(isHighRisk("Close")).toBe(false);
  expect(isHighRisk("My account settings")).toBe(false);
});

test.each([
  [
    "cancelling what was booked",
    ["Cancel my booking", "Sage den Termin ab", "Annuler la commande", "Cancela la cita", "Cancel shipment"],
  ],
  [
    "closing what others work on or attend",
    [
      "Close the ticket",
      "End meeting",
      "Fall schließen",
      "Meeting beenden",
      "Clôturer le ticket",
      "Clôturer le sondage",
      "Cerrar la incidencia",
      "Close registration",
    ],
  ],
  [
    "booking what is carried out and billed",
    ["Book shipment", "Flug buchen", "Réserver le voyage", "Reservar el vuelo"],
  ],
  ["sending by e-mail", ["E-mail the bill", "Mail it to Ada", "Email me a copy", "Email invoice"]],
  ["submitting what binds", ["Submit the application", "Submit my claim", "Soumettre ma candidature"]],
  [
    "emptying a container",
    ["Empty the whole table", "Warenkorb leeren", "Vide le panier", "Vaciar la lista"],
  ],
  [
    "leaving a group",
    [
      "Leave this workspace",
      "Verlasse die Gruppe",
      "Quitter le groupe",
      "Salir del equipo",
      "Darme de baja",
      "Se désinscrire",
    ],
  ],
  [
    "reminding another person",
    ["Remind", "Remind the customer", "Erinnere Ivo an sein Buch", "Rappelle à Léa", "Recuérdale la cita"],
  ],
  [
    "giving a person access",
    ["Grant access", "Give Ada admin rights", "Zugriff auf die Akte erteilen", "Autoriser l'accès"],
  ],
  [
    "stopping what runs",
    ["Stop the pump", "Stop SA-04", "Shut the whole plant down", "Server herunterfahren", "Arrête le moteur"],
  ],
  ["handing something over", ["Deliver", "Deliver the menu", "Dispatch the order", "Entregar el pedido"]],
  ["selling something", ["Sell now", "Sell 8 kWh to the grid", "Verkaufen", "Vende la vaca"]],
  [
    "signing a person up",
    ["Sign him up for the circus week", "Enrol Ada", "Melde Sami zum Kurs an", "Buch mir 10 GB dazu"],
  ],
  ["ending what is billed", ["End trip", "End the rental", "Absetzen"]],
  ["taking money from a person", ["Charge the guest", "Cobra la cita a la clienta", "Encaisser"]],
  ["loading money onto a card", ["Top up now", "Top up 25 euros", "Guthaben aufladen", "Ricarica ora"]],
  [
    "signing a document",
    ["Sign", "Sign the lease", "Signe l'accord", "Firma il prestito", "Unterschreiben", "Ondertekenen"],
  ],
  [
    "submitting what others rely on",
    ["Submit request", "Submit the report", "Submit application", "Melding indienen", "Antrag einreichen"],
  ],
  ["renting something", ["Rent it", "Rent for £3.50", "Fahrrad mieten", "Louer", "Alquilar ahora", "Huren"]],
  [
    "refusing a person",
    ["Turn away", "Turn Ines away", "Turn down the offer", "Deny", "Antrag ablehnen", "Weise den Gast ab"],
  ],
  ["making an offer", ["Place bid", "Bid now", "Gebot abgeben", "Bod plaatsen"]],
  ["alerting people", ["Raise the alarm", "Call a taxi", "Evacuate", "Alarm auslösen"]],
  [
    "acts in Italian, Portuguese and Dutch",
    [
      "Blocca la carta",
      "Elimina",
      "Annulla l'ordine",
      "Invia",
      "Excluir",
      "Verwijder het bericht",
      "Betalen",
    ],
  ],
])("the name %s is a high risk, although its verb alone is no risk", (_, texts) => {
  for (const text of texts) expect([text, isHighRisk(text)]).toEqual([text, true]);
  for (const text of [
    "Cancel",
    "Best sellers",
    "Sign up",
    "Sign in",
    "Sign language",
    "Firma",
    "Firma bearbeiten",
    "Pagamenti",
    "Ordina per prezzo",
    "Inviati",
    "Trip end",
    "Stop",
    "Stop the timer",
    "Stop recording",
    "Next stop",
    "Next stop: Bern",
    "Non-stop flights",
    "Bus stop map",
    "Stop words",
    "Rent",
    "Monthly rent",
    "Turn down the volume",
    "Turn the page",
    "Call history",
    "Alarm settings",
    "Denied requests",
    "Access log and give feedback",
    "Delivery address",
    "Give the list a name",
    "Submit",
    "Empty",
    "Leave it empty",
    "Leave a comment for the team lead",
    "Bookings",
    "My appointments",
    "Table",
    "Call Office",
    "Empty list",
    "Einreichungsfrist",
    "Reminder",
    "E-mail address",
    "Mail settings",
    "Remind me on Monday",
    "Charge the battery",
    "Dispatch board",
    "Open the dispatch board",
    "Dispatch board 12",
    "Meeting end time",
    "Registration end",
    "End date of registration",
    "Termine und Anmeldung",
    "Garbage collection",
    "Payment history",
    "Payment settings",
    "Invitation list",
    "Stop reading",
  ])
    expect([text, isHighRisk(text)]).toEqual([text, false]);
});

test.each([
  "trash",
  "trash 2",
  "trashcan",
  "dustbin",
  "recycle-bin",
  "waste basket",
  "wastebasket",
  "delete forever",
  "deleteforever",
  "garbage",
])("the icon %s means to delete, whatever thing the icon shows", (icon) => {
  expect(riskOf({ name: "", icon, attributes: {} })).toBe("delete");
});

test.each(["cabin", "combine", "binoculars", "check", "deleted-items", "removed", "removeFormat"])(
  "the icon %s does not mean to delete",
  (icon) => {
    expect(riskOf({ name: "", icon, attributes: {} })).toBeUndefined();
  },
);

test("a verb before a word such as list, board, history or settings is an action, and not a part of the name of a view", () => {
  const acts = [
    "Delete history",
    "Delete list",
    "Remove board",
    "Share list",
    "Send list",
    "Publish settings",
  ];
  const doubtful = ["Purchase list", "Transfer list", "Transfer settings", "Block list", "Broadcast list"];
  const withVerb = [
    "Clear purchase history",
    "Delete payment history",
    "Dispatch the board",
    "Dispatch order",
  ];
  for (const text of [...acts, ...doubtful, ...withVerb])
    expect([text, isHighRisk(text)]).toEqual([text, true]);
  for (const text of [
    "Delete list",
    "Clear history",
    "Reset settings",
    "Share board",
    "Clear purchase history",
  ])
    expect([text, riskOfName(text)]).not.toEqual([text, undefined]);
});

test("an icon, attribute or address of a control indicates a risk even without words", () => {
  expect(riskOf({ name: "", icon: "fa-trash", attributes: {} })).toBe("delete");
  expect(riskOf({ name: "Again", attributes: { "data-method": "post" } })).toBe("submit");
  expect(riskOf({ name: "Again", attributes: { "data-method": "get" } })).toBeUndefined();
  expect(riskOf({ name: "Bye", attributes: { href: "/users/sign_out" } })).toBe("logout");
  expect(riskOf({ name: "Details", icon: "chevron-down", attributes: { class: "btn" } })).toBeUndefined();
});

test.each([
  "/logout",
  "/users/sign_out?x=1",
  "/items/3/delete",
  "/delete/3",
  "/item?action=delete&id=3",
  "/delete?id=3",
  "/review/phase/1/activate",
  "/users/42/deactivate/",
  "/features/7/enable?next=/",
  "/features/7/disable",
  "/invitations/accept/9",
  "/offers/9/reject",
  "/confirm/4f1c2a90-7d1e-4b5a-9a77-0c3d5e6f7a8b",
  "/confirm?email=a%40b.example&token=Zx81",
  "/tasks/ABC-12/close",
  "/tasks/ABC-12/reopen",
  "/pages/12/restore",
  "/machines/4/start",
  "/machines/4/stop",
  "/topics/4/lock",
  "/topics/4/unlock",
  "/todos/4/toggle",
  "/fields/4/move_up",
  "/fields/4/down",
  "/repos/4/star",
  "/polls/4/vote",
  "/users/4/follow",
  "/users/4/ban",
  "/messages/4/mark-as-read",
  "/messages/markread/4",
  "/topic?do=lock&id=4",
  "/ticket?do=close&id=4",
  "/rows?id=4&action=up",
  "/Ticket/Display.html?Action=Take&id=9",
  "/Ticket/Display.html?id=9;Action=Steal",
  "/Ticket/Display.html?id=4&Action=SetTold",
  "/compta/facture/card.php?facid=4&action=setdraft",
  "/card.php?id=4&action=settitle",
  "/card.php?id=4&action=setstatus",
  "/index.php?title=Home&action=unwatch",
  "/issue12?@action=restore",
  "/firewall_rules.php?act=del&id=3",
  "/task/12?action=takeownership",
  "/admin.php?action=delete_user&uid=4",
  "/scrips?format=a&id=1&MoveScripDown=4",
  "/course/mod.php?delete=12",
  "/course/view.php?id=2&moveup=12",
  "/Asset/Modify.html?id=1;Update=1;Status=stolen",
  "/front/ticket.form.php?id=3&purge=1",
  "/Ticket/Display.html?id=4&Status=resolved&SubmitTicket=1",
  "/Helpers/Toggle/TicketBookmark?id=4",
  "/course/mod.php?hide=5&sesskey=Zx81aB",
  "/?controller=TaskModificationController&action=assignToMe&task_id=1&csrf_token=2d10500aba857f48f4a8a97eece8c906",
  "/?controller=ConfigController&action=token&type=api&csrf_token=5c8604f595858c4e5805c6f8dcf3ef26",
  "/tasks/promote/7?_csrf=0b1f2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d",
  "/?_task=settings&_action=folders&_token=Jx3kLm9QpR2sTv7WxYz1",
  "/site/approve?id=4&YII_CSRF_TOKEN=dGhpcyBpcyBhIHRva2VuIDE%3D",
  "/wp-admin/post.php?post=5&action=x&_wpnonce=4f1c2a",
  "/index.php?m=orders&a=delete&id=3",
  "/index.php?option=com_content&task=article.publish&id=3",
  "/event/cfp/types/3/default/",
  "/addresses/3/default/billing/",
])("opening the address %s counts as an action that changes data", (path) => {
  expect(isWritingAddress(`https://a.example${path}`)).toBe(true);
});

test.each([
  "/",
  "/docs/security?topic=csrf",
  "/docs/settings?csrf=enabled",
  "/search?q=pump&csrfmiddlewaretoken=5c8604f595858c4e5805c6f8dcf3ef26",
  "/search?q=csrf_token",
  "/sql/delete.html",
  "/docs/delete",
  "/orders/3",
  "/blog/how-to-log-out-safely",
  "/publish-guide",
  "/archive/2024",
  "/list/5/archive?page=2",
  "/docs/v2/send",
  "/5.7/delete/",
  "/manual/7/delete.html",
  "/docs/activate",
  "/docs/python3/enable",
  "/docs/4.2/start",
  "/docs/v2/confirm",
  "/manual/7/start.html",
  "/stop/12",
  "/start/2",
  "/vote/2024",
  "/2024/vote",
  "/vote?page=2",
  "/confirm?step=2",
  "/close-up/4",
  "/movies/4/stars",
  "/likes/4",
  "/lists/4/locked",
  "/follow/us-on-3-platforms",
  "/items?sort=up",
  "/view?at=task-history&path=%2Ftasks%2F7&do=close",
  "/Ticket/Update.html?Action=Respond&id=4",
  "/index.php?title=Home&action=history",
  "/list?deleted=1",
  "/admin.php?action=settings",
  "/task/12?do=assign",
  "/admin.php?action=setup",
  "/list?removed=0&page=2",
  "/shop?color=red&removefilter=12",
  "/shop?movie=12",
  "/search?q=update&submit=1",
  "/news?updates=1",
  "/list?action=",
  "/articles?mode=watch",
  "/civicrm/contact/view?reset=1&cid=2",
  "/admin.php?action=deleted",
  "/list?do=removed&page=2",
  "/accounts?action=settlements",
  "/bricks.php?do=sets",
  "/concerts?action=setlist",
  "/stock.php?movement=12",
  "/find?q=lamp&submit_search=1",
  "/contact?submitted=1",
  "/watch?v=12",
  "/confirm/orders?customer_id=3",
  "/gitweb.cgi?p=town.git;a=log",
  "/index.php?option=com_content&task=category.view&id=3",
  "/themes/default",
  "/docs/v2/default",
])("opening the address %s counts as an action that changes nothing", (path) => {
  expect(isWritingAddress(`https://a.example${path}`)).toBe(false);
});

// The first five example addresses are from pretalx, the next from Jenkins, GitLab, Akaunting, Spree, I Hate Money,
// Flask-AppBuilder and Sylius. Others are from Plone, pretix, Jira and Zope, and the last from Miniflux, wallabag and
// Airflow.
test.each([
  "/schedule/toggle",
  "/submissions/ABCDEF/toggle_featured",
  "/schedule/resend_mails",
  "/mails/4/copy",
  "/locale/set?locale=de&next=/me/",
  "/job/town/3/toggleLogKeep",
  "/groups/town/group_members/3/resend_invite",
  "/1/sales/invoices/3/duplicate",
  "/locale/set",
  "/lang/zh_Hans",
  "/lang/pt_BR/",
  "/lang/es_419",
  "/switch-locale/de_DE",
  "/ical_import_settings/enable",
  "/control/settings/2fa/disable",
  "/news/content_status_modify?workflow_action=publish",
  "/secure/WorkflowUIDispatcher.jspa?id=10001&action=21",
  "/news/object_cut",
  "/manage_cutObjects?ids=a",
  "/news/selectViewTemplate?templateid=album&_authenticator=796e2d19f2ff15ad12f1ff9a422cc5e3ffbe33bf",
  "/?controller=CommentListController&action=toggleSorting&task_id=8",
  "/?controller=BoardAjaxController&action=collapse&project_id=3",
  "/index.php?action=collapse;c=1;sa=expand",
  "/docs/17/sharing/enable",
  "/docs/enable",
  "/docs/cli/enable?plugin=sms",
  "/docs/payroll/enable",
  "/feed/4/refresh",
  "/feeds/refresh",
  "/category/3/entries/refresh",
  "/reload/12",
  "/repos/12/sync",
  "/retry-task/12",
  "/parseDagFile/Ii90bXAvdy9oMy10bXAvYWYvZGFncy9mZXJyeS5weSI.JizY9Cgvdl7VXlOCFquzt2ApTE8?redirect_url=%2Fhome",
  "/admin/runBuildJob/7",
])("opening the address %s counts as an action that changes data only for a signed-in user", (path) => {
  expect(isWritingAddressOfSession(`https://a.example${path}`)).toBe(true);
  expect(isWritingAddress(`https://a.example${path}`)).toBe(false);
});

test.each([
  "/toggles",
  "/schedule",
  "/locale/settings",
  "/redis/commands/set",
  "/language/setup",
  "/lang/guides",
  "/lang/de/imprint",
  "/languages/de",
  "/togglegroups/3",
  "/mails/4/copies",
  "/docs/copy",
  "/guides/clone",
  "/enabled",
  "/plugins/enable-all",
  "/workflows?state=open",
  "/workflows?action=new",
  "/news/folder_contents",
  "/settings/sync",
  "/runs/12",
  "/run/12",
  "/dags/bread_orders/trigger?redirect_url=%2Fhome",
  "/run_log/3",
  "/runLog/3",
  "/retry-log/3",
  "/triggerRules/3",
  "/process-instance/12",
  "/refresher/12",
  "/parseDagFile/how-to-parse-a-file",
])("opening the address %s counts as an action that changes nothing, even for a signed-in user", (path) => {
  expect(isWritingAddressOfSession(`https://a.example${path}`)).toBe(false);
});
