/** The third-party pages for which the bench of dialogues makes plans. They come from npm packages. */
import { join } from "node:path";
import { type ServedSite, serveFolder } from "../../../sites/folder-site.ts";
import { installPeers } from "../install-peers.ts";

/**
 * The pages of the labelled tasks: the name that a label uses for a page, and the page's path in
 * `node_modules`.
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
} as const;

export type TaskPage = keyof typeof taskPages;

export interface TaskSite {
  url(page: TaskPage): string;
  /** Path and query of every request that the site has received, in order of arrival. */
  readonly requests: ServedSite["requests"];
  stop(): Promise<void>;
}

/** Installs the packages once and serves them. */
export async function serveTaskPages(): Promise<TaskSite> {
  await installPeers(import.meta.dir);
  const served = serveFolder(join(import.meta.dir, "node_modules"));
  return {
    url: (page) => `${served.origin}/${taskPages[page]}`,
    requests: served.requests,
    stop: served.stop,
  };
}
