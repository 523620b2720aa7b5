/**
 * A fixture application: a wizard with all steps at one address. The fields of a step are checked before the
 * next step is shown, and the last step sends one request.
 */
import type { AppDescription } from "./fixture-app-description.ts";

export const bookingWizard: AppDescription = {
  name: "booking-wizard",
  title: "Room booking",
  rendering: "server",
  start: "home",
  collections: {
    rooms: {
      parameter: "room",
      label: "Room",
      count: 6,
      fields: { beds: ["1", "2", "4"], view: ["garden", "sea", "yard"] },
    },
    bookings: {
      parameter: "booking",
      label: "Booking",
      count: 3,
      fields: { guest: ["Lea", "Max"], nights: ["2", "5"], mail: ["lea@inn.example", "max@inn.example"] },
    },
  },
  navigation: [
    { id: "nav-home", label: "Start", to: "home", by: "link" },
    { id: "nav-rooms", label: "Rooms", to: "rooms", by: "link" },
    { id: "nav-book", label: "Book a room", to: "book", by: "link" },
    { id: "nav-bookings", label: "My bookings", to: "bookings", by: "link" },
  ],
  screens: [
    {
      id: "home",
      heading: "The inn at the lake",
      place: { kind: "page", path: "/" },
      parts: [{ kind: "text", text: "Six rooms, one lake." }],
    },
    {
      id: "rooms",
      heading: "Our rooms",
      place: { kind: "page", path: "/rooms" },
      parts: [{ kind: "table", collection: "rooms", size: 10, to: "room" }],
    },
    {
      id: "room",
      heading: "Room {room}",
      place: { kind: "page", path: "/rooms/{room}" },
      parts: [{ kind: "record", collection: "rooms" }],
      actions: [
        { id: "book", label: "Book this room", to: "book", by: "link" },
        { id: "photos", label: "Photos", to: "room-photos", by: "press" },
      ],
    },
    {
      id: "room-photos",
      heading: "Photos of the room",
      place: { kind: "dialog", over: "room" },
      parts: [{ kind: "text", text: "A bed, a window, a chair." }],
    },
    {
      id: "book",
      heading: "Book a room at the lake",
      place: { kind: "page", path: "/book" },
      parts: [
        { kind: "text", text: "First the time of your visit." },
        {
          kind: "form",
          fields: [
            {
              name: "nights",
              label: "Nights",
              type: "number",
              required: true,
              pattern: "[1-9]\\d?",
              value: "2",
            },
            { name: "arrival", label: "Arrival", type: "date" },
          ],
        },
      ],
      actions: [{ id: "next", label: "Next: extras", to: "book-extras", by: "submit" }],
    },
    {
      id: "book-extras",
      heading: "Extras for your visit",
      place: { kind: "step", over: "book" },
      parts: [
        { kind: "form", fields: [{ name: "meal", label: "Meals", options: ["none", "breakfast", "all"] }] },
        { kind: "text", text: "Meals are served in the garden." },
      ],
      actions: [
        { id: "next", label: "Next: guest", to: "book-guest", by: "submit" },
        { id: "back", label: "Back to the time", to: "book", by: "press" },
      ],
    },
    {
      id: "book-guest",
      heading: "Who is the guest?",
      place: { kind: "step", over: "book" },
      parts: [
        {
          kind: "form",
          fields: [
            { name: "guest", label: "Name", required: true },
            { name: "mail", label: "E-mail", type: "email", required: true, pattern: "[^@ ]+@[^@ ]+" },
          ],
        },
      ],
      actions: [
        { id: "next", label: "Next: summary", to: "book-summary", by: "submit" },
        { id: "back", label: "Back to the extras", to: "book-extras", by: "press" },
        { id: "terms", label: "Read the terms", to: "book-terms", by: "press" },
      ],
    },
    {
      id: "book-terms",
      heading: "Terms of the inn",
      place: { kind: "dialog", over: "book-guest" },
      parts: [{ kind: "text", text: "Quiet after ten." }],
    },
    {
      id: "book-summary",
      heading: "Summary of your booking",
      place: { kind: "step", over: "book" },
      parts: [{ kind: "text", text: "Please check everything once more." }],
      actions: [
        {
          id: "confirm",
          label: "Confirm booking",
          to: "booking",
          by: "press",
          effect: { kind: "create", collection: "bookings" },
        },
        { id: "back", label: "Back to the guest", to: "book-guest", by: "press" },
      ],
    },
    {
      id: "bookings",
      heading: "My bookings",
      place: { kind: "page", path: "/bookings" },
      parts: [{ kind: "table", collection: "bookings", size: 10, to: "booking" }],
    },
    {
      id: "booking",
      heading: "Booking {booking}",
      place: { kind: "page", path: "/bookings/{booking}" },
      parts: [
        { kind: "record", collection: "bookings" },
        { kind: "text", text: "We look forward to your visit." },
      ],
    },
  ],
};
