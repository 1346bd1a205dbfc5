import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Random, randomAlphanumeric } from "../kernel/random.ts";
import type { DevelopmentSecrets } from "./settings.ts";

const FILE = "development-secrets.json";

/** A random value for each secret; the admin's password is short enough to type. */
function makeSecret(name: string, random: Random): string {
  if (name === "EARN_SIGNER_KEY" || name === "OPERATOR_KEY") return `0x${random.bytes(32).toString("hex")}`;
  if (name === "SECRETS_KEY") return random.bytes(32).toString("hex");
  return randomAlphanumeric(random, name === "ADMIN_PASSWORD" ? 20 : 48);
}

/** RUN-4: development's secrets are random per data folder and stored there, readable by the owner only. */
export function developmentSecretsFrom(random: Random): DevelopmentSecrets {
  return (dataDir) => {
    const path = join(dataDir, FILE);
    const kept: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    return (name) => {
      const known = kept[name];
      if (known !== undefined) return known;
      const made = makeSecret(name, random);
      kept[name] = made;
      mkdirSync(dataDir, { recursive: true });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, path);
      return made;
    };
  };
}
