/** Tests the packets of the byte stream between Cairn and the process that publishes a video. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { PacketReader, packetHeader } from "../../../actors/streaming/video-publisher-packets.ts";

test("the packets of a byte stream are parsed in the same way wherever the stream is divided into chunks", () => {
  const packet = fc.record({
    kind: fc.integer({ min: 1, max: 3 }),
    content: fc.uint8Array({ maxLength: 40 }),
  });
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 6 }), fc.integer({ min: 1, max: 17 }), (sent, size) => {
      const stream = Buffer.concat(
        sent.flatMap(({ kind, content }) => [packetHeader(kind, content.length), content]),
      );
      const read: { kind: number; content: Uint8Array }[] = [];
      const reader = new PacketReader((kind, content) => read.push({ kind, content }));
      for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size));
      expect(read.map(({ kind, content }) => [kind, [...content]])).toEqual(
        sent.map(({ kind, content }) => [kind, [...content]]),
      );
    }),
    { seed: 27 },
  );
});
