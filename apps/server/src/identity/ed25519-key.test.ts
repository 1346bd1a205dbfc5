import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { Ed25519Key, readPublicKey } from "./ed25519-key.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const SPKI = publicKey.export({ type: "spki", format: "der" });
const PEM = publicKey.export({ type: "spki", format: "pem" }) as string;

test("WSA-2: a public key is read from PEM, from its structure and from its bytes", () => {
  const expected = SPKI.toString("base64");
  const forms = [
    PEM,
    PEM.replaceAll("\n", ""),
    PEM.replaceAll("\n", "\r\n"),
    expected,
    SPKI.subarray(12).toString("base64"),
  ];
  for (const form of forms) assert.equal(readPublicKey(form), expected, JSON.stringify(form));
});

test("WSA-2: other keys and texts are no public key", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
  const x25519 = generateKeyPairSync("x25519").publicKey;
  const wrong = [
    "",
    " ",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI",
    privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    rsa.export({ type: "spki", format: "pem" }) as string,
    x25519.export({ type: "spki", format: "pem" }) as string,
    SPKI.subarray(0, 43).toString("base64"),
    SPKI.subarray(13).toString("base64"),
    Buffer.concat([SPKI, SPKI]).toString("base64"),
    `${SPKI.toString("base64")}=`,
    SPKI.toString("hex"),
    PEM.replace("PUBLIC", "PRIVATE"),
  ];
  for (const text of wrong) assert.equal(readPublicKey(text), undefined, text);
});

test("WSA-2: a signature is base64, percent-encoded or not, of 64 bytes over the text", () => {
  const key = new Ed25519Key(SPKI.toString("base64"));
  const signature = sign(null, Buffer.from("symbol=BTCUSDT&timestamp=1"), privateKey);
  const text = signature.toString("base64");
  for (const sent of [text, encodeURIComponent(text)]) {
    const bytes = key.read(sent);
    assert.ok(bytes !== undefined && key.hasSigned("symbol=BTCUSDT&timestamp=1", bytes));
    assert.equal(key.hasSigned("symbol=BTCUSDT&timestamp=2", bytes), false);
  }
  const wrong = ["", "%", "%zz", signature.toString("hex"), text.slice(4), `${text}=`, text.replace("==", "")];
  for (const sent of wrong) assert.equal(key.read(sent), undefined, sent);
});
