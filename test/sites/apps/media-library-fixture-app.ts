/**
 * A fixture application: tabs at one address. One of them has a list that grows while the user scrolls.
 * Details are shown in dialogs and on pages.
 */
import type { AppDescription } from "./fixture-app-description.ts";

export const mediaLibrary: AppDescription = {
  name: "media-library",
  title: "Media library",
  rendering: "server",
  start: "library",
  collections: {
    films: {
      parameter: "film",
      label: "Film",
      count: 90,
      fields: {
        director: ["Agnès Varda", "Akira Kurosawa", "Chantal Akerman"],
        year: ["1954", "1962", "1975"],
      },
    },
    songs: {
      parameter: "song",
      label: "Song",
      count: 60,
      fields: { singer: ["Nina", "Mercedes", "Cesária"], minutes: ["3", "4"] },
    },
  },
  navigation: [
    { id: "nav-library", label: "Library", to: "library", by: "link" },
    { id: "nav-lists", label: "My lists", to: "lists", by: "link" },
    { id: "nav-profile", label: "Profile", to: "profile", by: "link" },
  ],
  screens: [
    {
      id: "library",
      heading: "The library",
      place: { kind: "page", path: "/", tab: "Films" },
      parts: [{ kind: "endless", collection: "films", size: 12, to: "film" }],
    },
    {
      id: "library-songs",
      heading: "Songs of the library",
      place: { kind: "tab", over: "library", label: "Songs" },
      parts: [{ kind: "table", collection: "songs", size: 15, to: "song" }],
    },
    {
      id: "library-about",
      heading: "About the library",
      place: { kind: "tab", over: "library", label: "About" },
      parts: [
        { kind: "text", text: "Open from nine to five." },
        { kind: "text", text: "Everything can be borrowed for two weeks." },
      ],
      actions: [{ id: "hours", label: "Opening hours", to: "library-hours", by: "press" }],
    },
    {
      id: "library-hours",
      heading: "Hours of the week",
      place: { kind: "dialog", over: "library-about" },
      parts: [{ kind: "text", text: "Closed on Sunday." }],
    },
    {
      id: "film",
      heading: "Film {film}",
      place: { kind: "page", path: "/films/{film}", tab: "Overview" },
      parts: [{ kind: "record", collection: "films" }],
    },
    {
      id: "film-cast",
      heading: "Cast of the film",
      place: { kind: "tab", over: "film", label: "Cast" },
      parts: [
        { kind: "text", text: "Played by many." },
        { kind: "text", text: "Music by a few." },
      ],
    },
    {
      id: "film-reviews",
      heading: "Reviews of the film",
      place: { kind: "tab", over: "film", label: "Reviews" },
      parts: [{ kind: "form", fields: [{ name: "words", label: "Your words", required: true }] }],
      actions: [
        {
          id: "send",
          label: "Send review",
          to: "film-reviews",
          by: "submit",
          effect: { kind: "update", collection: "films" },
        },
      ],
    },
    {
      id: "song",
      heading: "Song {song}",
      place: { kind: "page", path: "/songs/{song}" },
      parts: [
        { kind: "record", collection: "songs" },
        { kind: "text", text: "The words are printed in the booklet." },
      ],
      actions: [{ id: "words", label: "Show the words", to: "song-words", by: "press" }],
    },
    {
      id: "song-words",
      heading: "Words of the song",
      place: { kind: "dialog", over: "song" },
      parts: [{ kind: "text", text: "La la la." }],
    },
    {
      id: "lists",
      heading: "My lists",
      place: { kind: "page", path: "/lists" },
      parts: [{ kind: "text", text: "There is no list so far." }],
      actions: [{ id: "add", label: "Add a list", to: "list-new", by: "press" }],
    },
    {
      id: "list-new",
      heading: "Add a new list",
      place: { kind: "dialog", over: "lists" },
      parts: [{ kind: "form", fields: [{ name: "title", label: "Title of the list", required: true }] }],
      actions: [
        {
          id: "save",
          label: "Save list",
          to: "lists",
          by: "submit",
          effect: { kind: "update", collection: "songs" },
        },
      ],
    },
    {
      id: "profile",
      heading: "My profile",
      place: { kind: "page", path: "/profile", tab: "Person" },
      parts: [{ kind: "form", fields: [{ name: "name", label: "Name", value: "Reader" }] }],
      actions: [
        {
          id: "keep",
          label: "Save profile",
          to: "profile",
          by: "submit",
          effect: { kind: "update", collection: "songs" },
        },
      ],
    },
    {
      id: "profile-privacy",
      heading: "Privacy of the profile",
      place: { kind: "tab", over: "profile", label: "Privacy" },
      parts: [
        { kind: "text", text: "What others can see of you." },
        { kind: "form", fields: [{ name: "visible", label: "Visible to", options: ["all", "friends"] }] },
      ],
    },
  ],
};
