import { hasAddressShape } from "../kernel/address.ts";
import { type AddressSet, parseAddressSet } from "../kernel/address-set.ts";

/** Why a setting's text was refused; the message completes "NAME …". */
export class SettingProblem extends Error {}

/** Turns a setting's text into its value or throws a SettingProblem. `shape` is what the documentation shows. */
export interface Kind<T> {
  readonly shape: string;
  read(text: string): T;
}

export const text: Kind<string> = { shape: "text", read: (value) => value };

export const word: Kind<string> = {
  shape: "letters, digits and dashes",
  read(value) {
    if (/^[A-Za-z0-9-]{1,40}$/.test(value)) return value;
    throw new SettingProblem("must be 1 to 40 letters, digits and dashes");
  },
};

export const flag: Kind<boolean> = {
  shape: "true or false",
  read(value) {
    if (value === "true" || value === "1") return true;
    if (value === "false" || value === "0") return false;
    throw new SettingProblem("must be true or false");
  },
};

export function integer(min: number, max: number): Kind<number> {
  return {
    shape: `integer ${min}–${max}`,
    read(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max)) throw new SettingProblem(`must be an integer from ${min} to ${max}`);
      return number;
    },
  };
}

export function oneOf<const T extends string>(...choices: readonly T[]): Kind<T> {
  return {
    shape: choices.join(" or "),
    read(value) {
      const found = choices.find((choice) => choice === value);
      if (found === undefined) throw new SettingProblem(`must be ${choices.join(" or ")}`);
      return found;
    },
  };
}

export function url(...protocols: readonly string[]): Kind<string> {
  return {
    shape: `URL (${protocols.join(", ")})`,
    read(value) {
      const parsed = URL.canParse(value) ? new URL(value) : undefined;
      if (!parsed || !protocols.includes(parsed.protocol.replace(/:$/, ""))) {
        throw new SettingProblem(`must be a URL starting with ${protocols.map((p) => `${p}://`).join(" or ")}`);
      }
      return value;
    },
  };
}

const splitList = (value: string) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

export const natsServers: Kind<string> = {
  shape: "nats://host:port, several with commas",
  read(value) {
    for (const server of splitList(value)) url("nats", "tls").read(server);
    return value;
  },
};

/** An http(s) origin: no path, no query, kept without a trailing slash, because sign-in messages repeat it. */
export const origin: Kind<string> = {
  shape: "origin, such as https://exchange.example",
  read(value) {
    const parsed = new URL(url("http", "https").read(value));
    if (parsed.pathname !== "/" || parsed.search !== "" || parsed.hash !== "" || parsed.username !== "") {
      throw new SettingProblem("must be an origin without path, query or user");
    }
    return parsed.origin;
  },
};

export const origins: Kind<readonly string[]> = {
  shape: "comma-separated origins",
  read: (value) => splitList(value).map((part) => origin.read(part)),
};

/** The set of these entries; throws a SettingProblem if one is invalid. */
export function addressSet(entries: readonly string[]): AddressSet {
  const parsed = parseAddressSet(entries);
  if ("badEntry" in parsed) throw new SettingProblem(`has an entry that is no address or CIDR: ${parsed.badEntry}`);
  return parsed.set;
}

export const addresses: Kind<AddressSet> = {
  shape: "comma-separated addresses and CIDRs",
  read: (value) => addressSet(splitList(value)),
};

export const evmAddress: Kind<string> = {
  shape: "0x and 40 hex digits",
  read(value) {
    if (!hasAddressShape(value)) throw new SettingProblem("must be 0x and 40 hex digits");
    return value.toLowerCase();
  },
};

/** A positive amount of USDT with at most six decimals, kept as text: it is parsed exactly where it is used. */
export const usdt: Kind<string> = {
  shape: "USDT amount, at most 6 decimals",
  read(value) {
    if (!/^\d{1,12}(\.\d{1,6})?$/.test(value)) throw new SettingProblem("must be a USDT amount such as 50000 or 12.5");
    return value;
  },
};

/** PTS-1: a Monday 00:00 UTC, in milliseconds. */
export const mondayUtc: Kind<number> = {
  shape: "a Monday as YYYY-MM-DD",
  read(value) {
    const time_ms = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
    if (new Date(time_ms).getUTCDay() !== 1) throw new SettingProblem("must be a Monday as YYYY-MM-DD");
    return time_ms;
  },
};
