import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOptions } from "@node-rs/argon2";
import { seededRandom, systemRandom } from "../kernel/random.ts";
import { Passwords } from "./passwords.ts";

test("SEC-7: passwords are hashed with argon2id, m=19456 KiB, t=2, p=1 and a salt of their own", async () => {
  const passwords = new Passwords(systemRandom);
  const [first, second] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await passwords.matches(first, "correct horse"), true);
  assert.equal(await passwords.matches(first, "correct horsf"), false);
  assert.equal(await passwords.matches(first, ""), false);
});

test("SEC-7: the salt comes from the given source", async () => {
  const hashes = await Promise.all(["seed", "seed"].map((seed) => new Passwords(seededRandom(seed)).hash("x")));
  assert.equal(hashes[0], hashes[1]);
});

test("SEC-2: the decoy costs what a real hash costs and matches nothing", async () => {
  const passwords = new Passwords(systemRandom);
  const decoy = passwords.decoy();
  assert.deepEqual(parseOptions(decoy), parseOptions(await passwords.hash("x")));
  assert.equal(await passwords.matches(decoy, "x"), false);
});

test("more checks than run at a time all get their turn, failing ones too", async () => {
  const passwords = new Passwords(systemRandom);
  const hash = await passwords.hash("right");
  const tries = ["right", "wrong", "right", "wrong", "right"].map((password) => passwords.matches(hash, password));
  const broken = Array.from({ length: 4 }, () => assert.rejects(passwords.matches("not a hash", "x")));
  assert.deepEqual(await Promise.all(tries), [true, false, true, false, true]);
  await Promise.all(broken);
  assert.equal(await passwords.matches(hash, "right"), true);
});
