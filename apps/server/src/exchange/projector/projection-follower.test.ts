import assert from "node:assert/strict";
import { it } from "node:test";
import type { Database } from "../../kernel/database/database.ts";
import type { Applied } from "../host/exchange.ts";
import { ProjectionFollower } from "./projection-follower.ts";

const appliedAt = (number: number) => ({ number, events: [] }) as unknown as Applied;

it("LOG-8: a standby has everything that the tables lack, or knows that it let some of it go", () => {
  const database = {} as Pick<Database, "db">;
  const projection = new ProjectionFollower({ database, cursor: 10, mostPending: 8, onError: () => {} });
  const numbersSince = (cursor: number) => projection.since(cursor)?.map(({ number }) => number);
  assert.deepEqual(numbersSince(10), []);
  for (let number = 11; number <= 18; number += 1) projection.hear(appliedAt(number));
  assert.deepEqual(numbersSince(10), [11, 12, 13, 14, 15, 16, 17, 18]);
  projection.moved(13);
  assert.deepEqual(numbersSince(13), [14, 15, 16, 17, 18]);
  assert.deepEqual(numbersSince(16), [17, 18], "the tables are further than was heard");
  assert.equal(projection.since(12), undefined, "the tables went back");
  for (let number = 19; number <= 22; number += 1) projection.hear(appliedAt(number));
  assert.equal(projection.since(13), undefined, "too much had come");
  projection.moved(22);
  assert.deepEqual(numbersSince(22), []);
});
