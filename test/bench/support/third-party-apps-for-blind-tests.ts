/**
 * Third-party applications for benches of exploration. Their screens were counted from their source code
 * (routes, and components such as tabs) before Cairn explored the applications.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ForeignApp } from "./third-party-apps-from-packages.ts";

const ADMIN = `
import * as React from "react";
import { createRoot } from "react-dom/client";
import { Admin, Create, Datagrid, Edit, EditButton, List, ReferenceField, Resource, SearchInput, SelectInput, Show, ShowButton, SimpleForm, SimpleShowLayout, TabbedForm, TextField, TextInput } from "react-admin";
import fakeRestDataProvider from "ra-data-fakerest";
const many = (count, one) => Array.from({ length: count }, (_, at) => ({ id: at + 1, ...one(at + 1) }));
const data = fakeRestDataProvider({
  posts: many(23, (id) => ({ title: "Post " + id, body: "Text of post " + id, category: id % 2 ? "news" : "tech", userId: 1 + id % 4 })),
  comments: many(9, (id) => ({ text: "Comment " + id, postId: id })),
  users: many(4, (id) => ({ name: "User " + id, email: "user" + id + "@example.com" })),
});
const choices = [{ id: "news", name: "News" }, { id: "tech", name: "Tech" }];
const filters = [<SearchInput source="q" alwaysOn />, <TextInput source="title" />, <SelectInput source="category" choices={choices} />];
const Posts = () => <List filters={filters}><Datagrid rowClick="edit"><TextField source="id" /><TextField source="title" /><TextField source="category" /><ReferenceField source="userId" reference="users"><TextField source="name" /></ReferenceField><ShowButton /></Datagrid></List>;
const PostEdit = () => <Edit><TabbedForm><TabbedForm.Tab label="Summary"><TextInput source="title" /></TabbedForm.Tab><TabbedForm.Tab label="Body"><TextInput source="body" multiline /></TabbedForm.Tab><TabbedForm.Tab label="Sorting"><SelectInput source="category" choices={choices} /></TabbedForm.Tab></TabbedForm></Edit>;
const PostShow = () => <Show><SimpleShowLayout><TextField source="title" /><TextField source="body" /></SimpleShowLayout></Show>;
const PostCreate = () => <Create><SimpleForm><TextInput source="title" /><TextInput source="body" /></SimpleForm></Create>;
const Comments = () => <List><Datagrid rowClick={false}><TextField source="text" /><EditButton /></Datagrid></List>;
const CommentEdit = () => <Edit><SimpleForm><TextInput source="text" /></SimpleForm></Edit>;
const Users = () => <List><Datagrid rowClick="show"><TextField source="name" /><TextField source="email" /></Datagrid></List>;
const UserShow = () => <Show><SimpleShowLayout><TextField source="name" /><TextField source="email" /></SimpleShowLayout></Show>;
const Dashboard = () => <div><h1>Welcome to the magazine</h1></div>;
createRoot(document.getElementById("root")).render(
  <Admin dataProvider={data} dashboard={Dashboard} disableTelemetry>
    <Resource name="posts" list={Posts} edit={PostEdit} show={PostShow} create={PostCreate} />
    <Resource name="comments" list={Comments} edit={CommentEdit} />
    <Resource name="users" list={Users} show={UserShow} recordRepresentation="name" />
  </Admin>,
);
`;

const MAILS = `
import { spawn } from "node:child_process";
import { connect } from "node:net";
const [web, smtp] = process.argv.slice(2);
const server = spawn(process.execPath, ["node_modules/maildev/dist/bin/maildev.js", "--web", web, "--smtp", smtp, "--ip", "127.0.0.1", "--web-ip", "127.0.0.1"], { stdio: "ignore" });
process.on("SIGTERM", () => { server.kill(); process.exit(0); });
const send = (subject) => new Promise((resolve) => {
  const lines = ["EHLO test", "MAIL FROM:<ada@example.com>", "RCPT TO:<bert@example.com>", "DATA", "From: ada@example.com\\r\\nTo: bert@example.com\\r\\nSubject: " + subject + "\\r\\nMIME-Version: 1.0\\r\\nContent-Type: multipart/alternative; boundary=b\\r\\n\\r\\n--b\\r\\nContent-Type: text/plain\\r\\n\\r\\nHello\\r\\n--b\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>Hello</p>\\r\\n--b--\\r\\n.", "QUIT"];
  const socket = connect(Number(smtp), "127.0.0.1");
  socket.on("data", (data) => { if (/^\\d{3} /m.test(String(data)) && lines.length > 0) socket.write(lines.shift() + "\\r\\n"); });
  socket.on("close", () => resolve(true));
  socket.on("error", () => resolve(false));
});
for (const subject of ["Invoice of May", "Minutes of Monday", "Welcome"]) while (!(await send(subject))) await new Promise((next) => setTimeout(next, 200));
`;

export const blindApps: readonly ForeignApp[] = [
  {
    name: "react-admin",
    from: "npm",
    packages: ["react-admin@5", "ra-data-fakerest@5", "react@18", "react-dom@18"],
    path: "/",
    screens: {
      dashboard: /welcome to the magazine|\/#?\/?$/i,
      posts: /#\/posts(?:\?.*)?$/,
      "new post": /#\/posts\/create$/,
      post: /#\/posts\/\d+$/,
      "post: body": /#\/posts\/\d+\/1$/,
      "post: sorting": /#\/posts\/\d+\/2$/,
      "post, shown": /#\/posts\/\d+\/show$/,
      "filter menu": /add.?filter/i,
      comments: /#\/comments(?:\?.*)?$/,
      comment: /#\/comments\/\d+$/,
      users: /#\/users(?:\?.*)?$/,
      user: /#\/users\/\d+\/show$/,
    },
    async command(folder, port) {
      const site = join(folder, "site");
      await writeFile(join(folder, "app.jsx"), ADMIN);
      const { success, logs } = await Bun.build({
        entrypoints: [join(folder, "app.jsx")],
        outdir: site,
        target: "browser",
        define: { "process.env.NODE_ENV": '"production"' },
      });
      if (!success) throw new Error(logs.join("\n"));
      await writeFile(
        join(site, "index.html"),
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Magazine</title></head><body><div id="root"></div><script type="module" src="app.js"></script></body></html>',
      );
      return ["python3", "-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", site];
    },
  },
  {
    name: "maildev",
    from: "npm",
    packages: ["maildev@3.0.0"],
    path: "/",
    screens: {
      // The title of the inbox may start with the number of unread mails, so only its end is compared. This pattern
      // was corrected after the first exploration, so it is not blind.
      inbox: /maildev$/i,
      settings: /settings/i,
      mail: /#\/email\/[^~]+$/,
      "mail: plain text": /plain.?text/i,
      "mail: headers": /headers/i,
      "mail: source": /source/i,
      "without the sidebar": /toggle.?sidebar/i,
    },
    async command(folder, port) {
      const script = join(folder, "start.mjs");
      await writeFile(script, MAILS);
      return ["node", script, String(port), String(port + 1_000)];
    },
  },
];
