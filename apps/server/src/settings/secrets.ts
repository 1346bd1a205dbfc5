import { type Kind, SettingProblem } from "./kinds.ts";

const PLAIN_WORDS =
  /^(?:change[-_ ]?me|secret|password|passwort|admin|test|default|example|bourse|letmein|qwerty|\d)+$/i;

/** Whether a secret is easy to guess: few different characters, or only well-known words. */
function isGuessable(value: string): boolean {
  return new Set(value).size < 8 || PLAIN_WORDS.test(value);
}

/** A secret of at least `minimum` bytes that is not easy to guess. */
export function secret(minimum: number): Kind<string> {
  return {
    shape: `secret, at least ${minimum} bytes`,
    read(value) {
      if (Buffer.byteLength(value) < minimum)
        throw new SettingProblem(`is weak: it must have at least ${minimum} bytes`);
      if (isGuessable(value)) throw new SettingProblem("is weak: it is too easy to guess");
      return value;
    },
  };
}

/** 32 random bytes as 64 hex digits or base64. */
export const key32: Kind<string> = {
  shape: "32 bytes as 64 hex digits or base64",
  read(value) {
    const isHex = /^[0-9a-fA-F]{64}$/.test(value);
    const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(value);
    if (!isHex && !isBase64) throw new SettingProblem("must be 32 bytes written as 64 hex digits or base64");
    if (new Set(value).size < 8) throw new SettingProblem("is weak: it is too easy to guess");
    return value;
  },
};

/** Private keys published in the manuals of development tools: anyone can spend from them. */
const PUBLISHED_KEYS = new Set([
  "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  "7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
  "47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
]);
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A secp256k1 private key. */
export const privateKey: Kind<string> = {
  shape: "private key, 0x and 64 hex digits",
  read(value) {
    if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new SettingProblem("must be a private key: 0x and 64 hex digits");
    const number = BigInt(value);
    if (number === 0n || number >= CURVE_ORDER) throw new SettingProblem("is no valid private key");
    if (PUBLISHED_KEYS.has(value.slice(2).toLowerCase()) || new Set(value.slice(2)).size < 6) {
      throw new SettingProblem("is weak: this key is publicly known");
    }
    return value.toLowerCase();
  },
};
