import assert from "node:assert/strict";
import { it } from "node:test";
import type { PublicConfig } from "@bourse/api/client";
import { rpcUrlOf } from "./access.ts";

const configOf = (rpc_url: string | null) => ({ rpc_url, public_url: "http://127.0.0.1:8080" }) as PublicConfig;

it("reaches the exchange's own chain by the name under which the page was opened", () => {
  assert.equal(rpcUrlOf(configOf("http://127.0.0.1:8080/rpc"), "http://localhost:8080"), "http://localhost:8080/rpc");
  assert.equal(
    rpcUrlOf(configOf("https://rpc.example/ext?key=1"), "http://localhost:8080"),
    "https://rpc.example/ext?key=1",
  );
  assert.throws(() => rpcUrlOf(configOf(null), "http://localhost:8080"), /has not published/);
});
