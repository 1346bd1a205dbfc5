import type { PointsMakers, PointsMakersRequest } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { shortHash } from "../../lib/format.ts";
import { walletOf } from "../bonus/addresses.ts";

/** A row of the list, as typed. */
export interface MakerDraft {
  /** Names the row while its fields change. */
  readonly key: number;
  readonly address: string;
  readonly label: string;
}

export const MAX_MAKERS = 500;
const MAX_LABEL_CHARS = 64;

export type MakerProblems = Readonly<Partial<Record<"address" | "label", string>>>;
type Maker = PointsMakersRequest["wallets"][number];

export const draftOfMakers = ({ wallets }: PointsMakers): readonly MakerDraft[] =>
  wallets.map(({ address, label }, key) => ({ key, address, label: label ?? "" }));

/** By row. Empty: all can be sent. */
export function problemsOfMakers(rows: readonly MakerDraft[]): ReadonlyMap<number, MakerProblems> {
  const wallets = rows.map(({ address }) => walletOf(address.trim()));
  const found = rows.map((row, place) => {
    const wallet = wallets[place];
    const isSecond = wallet !== undefined && wallets.indexOf(wallet) < place;
    const problems: MakerProblems = {
      ...(wallet === undefined ? { address: "An address is 0x and 40 hex digits." } : {}),
      ...(isSecond ? { address: "This wallet is there twice." } : {}),
      ...([...row.label.trim()].length > MAX_LABEL_CHARS ? { label: `At most ${MAX_LABEL_CHARS} characters.` } : {}),
    };
    return [row.key, problems] as const;
  });
  return new Map(found.filter(([, problems]) => Object.keys(problems).length > 0));
}

/** What is sent; only for rows without a problem. */
export const requestOfMakers = (rows: readonly MakerDraft[]): Maker[] =>
  rows.map(({ address, label }) => ({
    address: walletOf(address.trim()) ?? address,
    label: label.trim() === "" ? null : label.trim(),
  }));

const say = (label: string | null | undefined) => label ?? "no name";

export function changesOfMakers(before: PointsMakers, after: readonly Maker[]): Change[] {
  const old = new Map(before.wallets.map(({ address, label }) => [address, label]));
  const next = new Map(after.map(({ address, label }) => [address, label ?? null]));
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((address): Change[] => {
    const what = shortHash(address);
    if (!next.has(address)) return [{ what, before: say(old.get(address)), after: "scores again" }];
    if (!old.has(address)) return [{ what, after: `${say(next.get(address))}, does not score` }];
    const [was, becomes] = [say(old.get(address)), say(next.get(address))];
    return was === becomes ? [] : [{ what, before: was, after: becomes }];
  });
}
