import { BlockList, isIP } from "node:net";

const ENTRY = /^([0-9A-Fa-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/;

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function addEntry(list: BlockList, entry: string): boolean {
  const [, address = "", prefix] = ENTRY.exec(entry) ?? [];
  if (isIP(address) === 0) return false;
  const family = familyOf(address);
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = Number(prefix);
  if (bits > (family === "ipv6" ? 128 : 32)) return false;
  list.addSubnet(address, bits, family);
  return true;
}

/** A set of IPv4 and IPv6 addresses and networks. */
export interface AddressSet {
  readonly isEmpty: boolean;
  has(address: string): boolean;
}

/** The set of these entries, or the first entry that is neither an address nor a network (CIDR). */
export function parseAddressSet(
  entries: readonly string[],
): { readonly set: AddressSet } | { readonly badEntry: string } {
  const list = new BlockList();
  for (const entry of entries) if (!addEntry(list, entry)) return { badEntry: entry };
  // An IPv4 address written as IPv6 (::ffff:1.2.3.4) is found under its IPv4 form.
  const isEmpty = entries.length === 0;
  return {
    set: { isEmpty, has: (address) => !isEmpty && isIP(address) !== 0 && list.check(address, familyOf(address)) },
  };
}
