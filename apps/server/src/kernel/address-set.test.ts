import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddressSet } from "./address-set.ts";

function allowed(entries: readonly string[], ip: string): boolean {
  const parsed = parseAddressSet(entries);
  assert.ok("set" in parsed, `bad entry in ${entries}`);
  return parsed.set.has(ip);
}

test("SEC-4: addresses and networks of both families", () => {
  const entries = ["203.0.113.7", "10.1.0.0/16", "2001:db8::1", "2001:db8:1::/48"];
  for (const ip of ["203.0.113.7", "10.1.255.255", "2001:db8::1", "2001:DB8:0:0::1", "2001:db8:1:ffff::2"]) {
    assert.equal(allowed(entries, ip), true, ip);
  }
  for (const ip of ["203.0.113.8", "10.2.0.0", "2001:db8::2", "2001:db8:2::1", "", "localhost", "203.0.113.7 "]) {
    assert.equal(allowed(entries, ip), false, ip);
  }
});

test("SEC-4: an IPv4 client is the same client when its address comes written as IPv6", () => {
  assert.equal(allowed(["203.0.113.7"], "::ffff:203.0.113.7"), true);
  assert.equal(allowed(["203.0.113.0/24"], "::ffff:203.0.113.9"), true);
  assert.equal(allowed(["203.0.113.7"], "::ffff:203.0.113.8"), false);
});

test("SEC-4: widest and narrowest networks", () => {
  assert.equal(allowed(["0.0.0.0/0"], "198.51.100.1"), true);
  assert.equal(allowed(["0.0.0.0/0"], "2001:db8::1"), false);
  assert.equal(allowed(["::/0"], "2001:db8::1"), true);
  assert.equal(allowed(["198.51.100.1/32"], "198.51.100.2"), false);
  assert.equal(allowed(["2001:db8::1/128"], "2001:db8::1"), true);
});

test("SEC-4: what is neither address nor network is named", () => {
  const wrong = [
    "",
    "1.2.3",
    "1.2.3.256",
    "1.2.3.4/33",
    "::1/129",
    "1.2.3.4/",
    "1.2.3.4/8/8",
    "1.2.3.4/-1",
    "1.2.3.4/08",
  ];
  for (const entry of [...wrong, "example.com", "fe80::1%eth0", " 1.2.3.4", "1.2.3.4\n", "01.2.3.4", "1.2.3.4/1e1"]) {
    assert.deepEqual(parseAddressSet(["10.0.0.1", entry]), { badEntry: entry });
  }
});

test("SEC-10: an empty set holds nobody", () => {
  assert.equal(allowed([], "203.0.113.7"), false);
});
