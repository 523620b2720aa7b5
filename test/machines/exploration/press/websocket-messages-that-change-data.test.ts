import { expect, test } from "bun:test";
import {
  isWritingSocketMessage,
  kindOfSocketMessage,
} from "../../../../machines/exploration/press/websocket-messages-that-change-data.ts";

const json = JSON.stringify;

test.each([
  ["Home Assistant", json({ type: "call_service", domain: "scene", service: "turn_on", id: 7 })],
  ["Home Assistant", json({ type: "config/area_registry/create", name: "Attic", id: 8 })],
  ["rosbridge", json({ op: "call_service", service: "/arm/stop" })],
  ["Zigbee2MQTT", json({ topic: "bridge/request/device/remove", payload: { id: "lamp" } })],
  ["Zigbee2MQTT", json({ topic: "lamp/set", payload: { state: "ON" } })],
  ["Meteor", json({ msg: "method", id: "3", method: "deleteMessage", params: [{ _id: "m1" }] })],
  ["Meteor over SockJS", json([json({ msg: "method", method: "sendMessage", params: [] })])],
  ["Socket.IO", `42${json(["deleteMonitor", 1])}`],
  ["Socket.IO with an acknowledgement", `42/admin,17${json(["pauseMonitor", 1])}`],
  ["Phoenix LiveView", json(["4", "9", "lv:phx-F1", "event", { type: "click", event: "delete_item" }])],
  ["Action Cable", json({ command: "message", data: json({ action: "toggle_task" }) })],
  ["Jupyter", json({ header: { msg_type: "execute_request" }, content: { code: "1" } })],
  ["GraphQL", json({ type: "subscribe", payload: { query: "mutation { removeUser(id: 1) { id } }" } })],
])("a WebSocket message counts as one that changes data: %s", (_, message) => {
  expect(isWritingSocketMessage(message)).toBe(true);
});

test.each([
  ["a call that reads", json({ type: "config/area_registry/list", id: 3 })],
  ["a component with the name of a verb", json({ type: "update/release_notes", entity_id: "update.core" })],
  ["a subscription", json({ type: "subscribe_events", event_type: "state_changed", id: 4 })],
  ["a question about a change", json({ type: "get_update_status" })],
  [
    "the start of a subscription of GraphQL",
    json({ type: "start", payload: { query: "{ users { name } }" } }),
  ],
  ["a subscription of Meteor", json({ msg: "sub", name: "stream-notify-user", params: [] })],
  ["the handshake of Engine.IO", "40"],
  ["an event of Socket.IO that reads", `420${json(["getMonitorList"])}`],
  ["a heartbeat of Phoenix", json([null, "5", "phoenix", "heartbeat", {}])],
  ["a text for people", json({ type: "search", data: { query: "delete a user" } })],
  ["another text", "delete everything"],
  ["a binary message", new Uint8Array([1, 2])],
])("a WebSocket message counts as one that changes no data: %s", (_, message) => {
  expect(isWritingSocketMessage(message)).toBe(false);
});

test("two WebSocket messages are of different kinds if they call different services, and of one kind if only their numbers differ", () => {
  const turnOn = { type: "call_service", domain: "light", service: "turn_on" };
  const kind = kindOfSocketMessage(json(turnOn));
  expect(kind).toBe(kindOfSocketMessage(json({ ...turnOn, id: 12 })));
  expect(kind).not.toBe(kindOfSocketMessage(json({ ...turnOn, service: "get_forecasts" })));
});
