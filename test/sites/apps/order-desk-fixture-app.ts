/**
 * A fixture application whose records can be listed, shown, edited, created and removed. A server renders
 * each page, and most pages need a sign-in.
 */
import type { AppDescription } from "./fixture-app-description.ts";

export const orderDesk: AppDescription = {
  name: "order-desk",
  title: "Order desk",
  rendering: "server",
  start: "home",
  users: { ada: "engine", grace: "compiler" },
  collections: {
    orders: {
      parameter: "order",
      label: "Order",
      count: 24,
      fields: {
        customer: ["Ada Lovelace", "Bert Brecht", "Clara Schumann", "Dmitri Mendeleev", "Emmy Noether"],
        state: ["open", "paid", "sent"],
        created: ["2026-01-04", "2026-02-11", "2026-03-29", "2026-04-02"],
      },
    },
    customers: {
      parameter: "customer",
      label: "Customer",
      count: 9,
      fields: { city: ["Berlin", "London", "Lyon"], since: ["2019", "2021", "2024"] },
    },
    products: {
      parameter: "product",
      label: "Product",
      count: 14,
      fields: { price: ["12.00", "7.50", "99.90"], stock: ["4", "0", "31"] },
    },
  },
  navigation: [
    { id: "nav-home", label: "Home", to: "home", by: "link" },
    { id: "nav-products", label: "Products", to: "products", by: "link" },
    { id: "nav-orders", label: "Orders", to: "orders", by: "link", only: "signed-in" },
    { id: "nav-customers", label: "Customers", to: "customers", by: "link", only: "signed-in" },
    { id: "nav-account", label: "My account", to: "account", by: "link", only: "signed-in" },
    { id: "nav-sign-in", label: "Sign in", to: "sign-in", by: "link", only: "signed-out" },
    {
      id: "nav-sign-out",
      label: "Sign out",
      to: "home",
      by: "press",
      effect: { kind: "sign-out" },
      only: "signed-in",
    },
  ],
  screens: [
    {
      id: "home",
      heading: "Welcome to the desk",
      place: { kind: "page", path: "/" },
      parts: [{ kind: "text", text: "All orders of our customers, and the products that we sell to them." }],
      actions: [{ id: "help", label: "How it works", to: "help", by: "link" }],
    },
    {
      id: "help",
      heading: "How the desk works",
      place: { kind: "page", path: "/help" },
      parts: [
        { kind: "text", text: "Sign in to see the orders. Each order belongs to a customer." },
        { kind: "text", text: "A sent order can no longer be changed. Ask the warehouse for help with it." },
      ],
    },
    {
      id: "sign-in",
      heading: "Sign in to the desk",
      place: { kind: "page", path: "/sign-in" },
      parts: [
        {
          kind: "form",
          fields: [
            { name: "user", label: "User name", required: true },
            { name: "password", label: "Password", type: "password", required: true },
          ],
        },
      ],
      actions: [{ id: "sign-in", label: "Sign in", to: "home", by: "submit", effect: { kind: "sign-in" } }],
    },
    {
      id: "products",
      heading: "Our products",
      place: { kind: "page", path: "/products" },
      parts: [
        { kind: "search" },
        { kind: "table", collection: "products", size: 6, to: "product", sortable: true },
      ],
    },
    {
      id: "product",
      heading: "Product {product}",
      place: { kind: "page", path: "/products/{product}" },
      parts: [
        { kind: "record", collection: "products" },
        { kind: "text", text: "Delivered within two days." },
      ],
      actions: [{ id: "sizes", label: "Show the sizes", to: "product-sizes", by: "press" }],
    },
    {
      id: "product-sizes",
      heading: "Sizes of this product",
      place: { kind: "dialog", over: "product" },
      parts: [{ kind: "text", text: "Small, medium and large." }],
    },
    {
      id: "orders",
      heading: "All orders",
      place: { kind: "page", path: "/orders" },
      signedIn: true,
      parts: [
        { kind: "search" },
        { kind: "table", collection: "orders", size: 8, to: "order", sortable: true },
      ],
      actions: [{ id: "new", label: "New order", to: "order-new", by: "link" }],
    },
    {
      id: "order-new",
      heading: "A new order",
      place: { kind: "page", path: "/orders/new" },
      signedIn: true,
      parts: [
        {
          kind: "form",
          fields: [
            { name: "customer", label: "Customer", required: true },
            { name: "state", label: "State", options: ["open", "paid", "sent"] },
            { name: "created", label: "Date", type: "date" },
          ],
        },
      ],
      actions: [
        {
          id: "create",
          label: "Create order",
          to: "order",
          by: "submit",
          effect: { kind: "create", collection: "orders" },
        },
        { id: "cancel", label: "Cancel", to: "orders", by: "link" },
      ],
    },
    {
      id: "order",
      heading: "Order {order}",
      place: { kind: "page", path: "/orders/{order}" },
      signedIn: true,
      parts: [{ kind: "record", collection: "orders" }],
      actions: [
        { id: "edit", label: "Edit", to: "order-edit", by: "link" },
        { id: "ask-remove", label: "Remove this order …", to: "order-remove", by: "press", risky: true },
      ],
    },
    {
      id: "order-remove",
      heading: "Remove the order?",
      place: { kind: "dialog", over: "order" },
      signedIn: true,
      parts: [{ kind: "text", text: "It cannot be brought back." }],
      actions: [
        {
          id: "remove",
          label: "Remove",
          to: "orders",
          by: "press",
          effect: { kind: "remove", collection: "orders" },
        },
      ],
    },
    {
      id: "order-edit",
      heading: "Edit order {order}",
      place: { kind: "page", path: "/orders/{order}/edit" },
      signedIn: true,
      parts: [
        {
          kind: "form",
          collection: "orders",
          fields: [
            { name: "customer", label: "Customer", required: true, value: "Ada Lovelace" },
            { name: "state", label: "State", options: ["open", "paid", "sent"] },
          ],
        },
      ],
      actions: [
        {
          id: "save",
          label: "Save order",
          to: "order",
          by: "submit",
          effect: { kind: "update", collection: "orders" },
        },
        { id: "back", label: "Back to the order", to: "order", by: "link" },
      ],
    },
    {
      id: "customers",
      heading: "Customers",
      place: { kind: "page", path: "/customers" },
      signedIn: true,
      parts: [{ kind: "table", collection: "customers", size: 20, to: "customer" }],
    },
    {
      id: "customer",
      heading: "Customer {customer}",
      place: { kind: "page", path: "/customers/{customer}" },
      signedIn: true,
      parts: [
        { kind: "record", collection: "customers" },
        { kind: "table", collection: "orders", size: 5, to: "order" },
      ],
    },
    {
      id: "account",
      heading: "My account",
      place: { kind: "page", path: "/account" },
      signedIn: true,
      parts: [
        {
          kind: "form",
          fields: [
            { name: "mail", label: "E-mail", type: "email", required: true, value: "ada@desk.example" },
            { name: "language", label: "Language", options: ["English", "Deutsch"] },
          ],
        },
      ],
      actions: [
        {
          id: "keep",
          label: "Save account",
          to: "account",
          by: "submit",
          effect: { kind: "update", collection: "customers" },
        },
      ],
    },
  ],
};
