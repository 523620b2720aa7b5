/**
 * A fixture application: a single-page application with client-side routes, dialogs, and a dialog above
 * another dialog. Without its script it shows nothing.
 */
import type { AppDescription } from "./fixture-app-description.ts";

export const taskBoard: AppDescription = {
  name: "task-board",
  title: "Task board",
  rendering: "client",
  start: "board",
  collections: {
    tasks: {
      parameter: "task",
      label: "Task",
      count: 12,
      fields: {
        owner: ["Ida", "Jo", "Kim"],
        due: ["2026-05-01", "2026-06-12", "2026-07-30"],
        weight: ["light", "heavy"],
      },
    },
    people: {
      parameter: "person",
      label: "Person",
      count: 7,
      fields: { team: ["Design", "Engine"], city: ["Oslo", "Graz", "Porto"] },
    },
  },
  navigation: [
    { id: "nav-board", label: "Board", to: "board", by: "link" },
    { id: "nav-people", label: "People", to: "people", by: "link" },
    { id: "nav-reports", label: "Reports", to: "reports", by: "press" },
    { id: "nav-settings", label: "Settings", to: "settings", by: "link" },
  ],
  screens: [
    {
      id: "board",
      heading: "The board",
      place: { kind: "page", path: "/" },
      parts: [{ kind: "table", collection: "tasks", size: 12, to: "task" }],
      actions: [
        { id: "add", label: "Add a task", to: "task-new", by: "press" },
        { id: "filter", label: "Filter", to: "board-filter", by: "press" },
      ],
    },
    {
      id: "task-new",
      heading: "Add a task to the board",
      place: { kind: "dialog", over: "board" },
      parts: [
        {
          kind: "form",
          fields: [
            { name: "owner", label: "Owner", required: true },
            { name: "due", label: "Due", type: "date" },
          ],
        },
      ],
      actions: [
        {
          id: "create",
          label: "Create task",
          to: "task",
          by: "submit",
          effect: { kind: "create", collection: "tasks" },
        },
        { id: "templates", label: "From a template", to: "task-templates", by: "press" },
      ],
    },
    {
      id: "task-templates",
      heading: "Templates of tasks",
      place: { kind: "dialog", over: "task-new" },
      parts: [{ kind: "text", text: "Bug, chore, idea." }],
    },
    {
      id: "board-filter",
      heading: "Filter the tasks",
      place: { kind: "dialog", over: "board" },
      parts: [
        { kind: "text", text: "Choose what the board shows." },
        { kind: "form", fields: [{ name: "weight", label: "Weight", options: ["light", "heavy"] }] },
      ],
      actions: [{ id: "apply", label: "Show these", to: "board", by: "submit" }],
    },
    {
      id: "task",
      heading: "Task {task}",
      place: { kind: "page", path: "/tasks/{task}" },
      parts: [
        { kind: "record", collection: "tasks" },
        { kind: "text", text: "Comments appear under the task." },
      ],
      actions: [
        { id: "history", label: "Show history", to: "task-history", by: "press" },
        { id: "assign", label: "Choose an owner", to: "task-owner", by: "press" },
      ],
    },
    {
      id: "task-history",
      heading: "History of the task",
      place: { kind: "dialog", over: "task" },
      parts: [
        { kind: "text", text: "Created by Ida." },
        { kind: "text", text: "Moved by Kim." },
      ],
    },
    {
      id: "task-owner",
      heading: "Owner of the task",
      place: { kind: "dialog", over: "task" },
      parts: [{ kind: "form", fields: [{ name: "owner", label: "New owner", required: true }] }],
      actions: [
        {
          id: "save",
          label: "Save owner",
          to: "task",
          by: "submit",
          effect: { kind: "update", collection: "tasks" },
        },
      ],
    },
    {
      id: "people",
      heading: "People of the team",
      place: { kind: "page", path: "/people" },
      parts: [{ kind: "search" }, { kind: "table", collection: "people", size: 10, to: "person" }],
    },
    {
      id: "person",
      heading: "Person {person}",
      place: { kind: "page", path: "/people/{person}" },
      parts: [
        { kind: "record", collection: "people" },
        { kind: "table", collection: "tasks", size: 4, to: "task" },
      ],
      actions: [{ id: "back", label: "Back to the people", to: "people", by: "link" }],
    },
    {
      id: "reports",
      heading: "Reports of the month",
      place: { kind: "page", path: "/reports" },
      parts: [{ kind: "text", text: "Twelve tasks are done." }],
      actions: [{ id: "details", label: "Details", to: "report-details", by: "press" }],
    },
    {
      id: "report-details",
      heading: "Details of the report",
      place: { kind: "page", path: "/reports/details" },
      parts: [
        { kind: "text", text: "Five of them were heavy." },
        { kind: "table", collection: "people", size: 3, to: "person" },
      ],
    },
    {
      id: "settings",
      heading: "Settings of the board",
      place: { kind: "page", path: "/settings" },
      parts: [
        {
          kind: "form",
          fields: [
            { name: "title", label: "Title of the board", required: true, value: "Our board" },
            { name: "view", label: "View", options: ["list", "cards"] },
          ],
        },
      ],
      actions: [
        {
          id: "keep",
          label: "Save settings",
          to: "settings",
          by: "submit",
          effect: { kind: "update", collection: "tasks" },
        },
        { id: "keys", label: "Keyboard shortcuts", to: "shortcuts", by: "press" },
      ],
    },
    {
      id: "shortcuts",
      heading: "Shortcuts of the keyboard",
      place: { kind: "dialog", over: "settings" },
      parts: [{ kind: "text", text: "N adds a task." }],
    },
  ],
};
