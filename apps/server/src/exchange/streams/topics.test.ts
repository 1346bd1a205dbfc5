import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { textFrames } from "./frames.ts";
import { Hub, type Subscriber, type TopicSource } from "./topics.ts";

class Reader implements Subscriber {
  readonly writes: Buffer[] = [];

  send(frames: Buffer): void {
    this.writes.push(frames);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.writes);
  }
}

const silent: TopicSource = { period_ms: 0, poll: () => [] };

describe("topics", () => {
  it("FUT-19: who joins in the midst of a turn gets what is published after it, and nothing from before", () => {
    const hub = new Hub();
    const [early, late] = [new Reader(), new Reader()];
    const topic = hub.follow("a", () => silent, early);
    topic.publish("1");
    assert.equal(
      hub.follow("a", () => silent, late),
      topic,
    );
    topic.publish("2");
    hub.flush();
    assert.deepEqual(early.bytes, textFrames(["1", "2"]));
    assert.deepEqual(late.bytes, textFrames(["2"]));
  });

  it("what is published in one turn leaves in one write, the same bytes for everybody", async () => {
    const hub = new Hub();
    const readers = [new Reader(), new Reader()];
    for (const reader of readers) hub.follow("a", () => silent, reader);
    const wrapped = new Reader();
    const topic = hub.follow("a", () => silent, wrapped, "name");
    for (const text of ["1", "2", "3"]) topic.publish(text);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      readers.map(({ writes }) => writes.length),
      [1, 1],
    );
    assert.equal(readers[0]!.writes[0], readers[1]!.writes[0]);
    const expected = ["1", "2", "3"].map((text) => `{"stream":"name","data":${text}}`);
    assert.deepEqual(wrapped.bytes, textFrames(expected));
  });

  it("what waits for the end of a turn has a bound", () => {
    const hub = new Hub();
    const reader = new Reader();
    const topic = hub.follow("a", () => silent, reader);
    for (let i = 0; i < 100; i += 1) topic.publish("x".repeat(10_000));
    const sent = reader.bytes.length;
    assert.ok(sent > 900_000, `${sent} bytes went out before the end of the turn`);
    hub.flush();
    assert.deepEqual(reader.bytes.length, 100 * (10_000 + 4));
  });

  it("a topic ends with its last follower, and its numbers never go back", () => {
    const hub = new Hub();
    const [first, second] = [new Reader(), new Reader()];
    const topic = hub.follow("a", () => silent, first);
    hub.follow("a", () => silent, second, "name");
    topic.seq = 41;
    hub.leave(topic, first);
    assert.equal(hub.find("a"), topic);
    hub.leave(topic, second, "name");
    assert.equal(hub.find("a"), undefined);
    assert.equal(hub.follow("a", () => silent, first).seq, 41);
  });

  it("sources are asked in their time and not after their topic has ended", () => {
    const hub = new Hub();
    const reader = new Reader();
    let asked = 0;
    const source: TopicSource = {
      period_ms: 100,
      poll: () => {
        asked += 1;
        return [`${asked}`];
      },
    };
    const topic = hub.follow("a", () => source, reader);
    for (let elapsed_ms = 50; elapsed_ms <= 300; elapsed_ms += 50) hub.poll(elapsed_ms);
    hub.flush();
    assert.deepEqual(reader.bytes, textFrames(["1", "2", "3"]));
    hub.leave(topic, reader);
    hub.poll(400);
    assert.equal(asked, 3);
  });
});
