import { createHash } from "node:crypto";

/*
 * A second, naive implementation of the program's arithmetic: loops over fills, whole numbers, no SQL. It shares no code with the
 * implementation it checks.
 */

export interface OracleFill {
  readonly day: string;
  readonly account: number;
  readonly version: bigint;
  readonly fee: bigint;
  readonly fromBonus: bigint;
  readonly isSelfTrade: boolean;
  readonly cause: "trade" | "liquidation" | "fund" | "bonus_expiry" | "takeover" | "adl";
  /** Rises from fill to fill. */
  readonly place: number;
}

export interface OracleTerms {
  readonly version: bigint;
  readonly account: number;
  /** Undefined for the terms of a trader with an affiliate. */
  readonly broker: string | undefined;
  readonly affiliate: string | undefined;
  readonly rate_e6: number;
  readonly parent: string | undefined;
  readonly parentRate_e6: number | undefined;
  readonly boundShare_e6: number;
}

export interface OracleBind {
  readonly ratio_e6: number;
  readonly share_e6: number;
}

export interface OracleBooks {
  readonly fills: OracleFill[];
  readonly terms: Map<bigint, OracleTerms>;
  /** By the customer's account. */
  readonly binds: Map<number, OracleBind>;
  /** By account, and by broker. */
  readonly wallets: Map<number, string>;
  readonly brokers: Map<string, string>;
}

export interface OracleRecord {
  readonly kind: "broker" | "affiliate";
  readonly owner: string;
  readonly account: number;
  readonly revision: number;
  readonly fee: bigint;
  readonly nominal: bigint;
  readonly customer: bigint;
  readonly share: bigint;
  readonly net: bigint;
  readonly rate_e6: number;
  readonly ratio_e6: number;
  readonly share_e6: number;
  readonly netPayee: string;
  readonly parent: string | undefined;
  readonly sharePayee: string | undefined;
  isLocked: boolean;
}

const MILLION = 1_000_000n;
const floor6 = (amount: bigint, ratio_e6: number) => (amount * BigInt(ratio_e6)) / MILLION;
const keyOf = ({ kind, owner, account }: Pick<OracleRecord, "kind" | "owner" | "account">) =>
  `${kind} ${owner} ${account}`;

/** BRK-7. */
export function oracleCounted({ fee, fromBonus, isSelfTrade, cause }: OracleFill): bigint {
  if (isSelfTrade) return 0n;
  if (cause === "liquidation" || cause === "takeover" || cause === "adl") return 0n;
  return fee - fromBonus;
}

interface Applied {
  readonly kind: "broker" | "affiliate";
  readonly owner: string;
  readonly rate_e6: number;
  readonly ratio_e6: number;
  readonly share_e6: number;
  readonly parent: string | undefined;
}

/** BRK-10, BRK-12: the rates for an account that trades under some terms. */
function applied(books: OracleBooks, terms: OracleTerms, account: number): Applied {
  const { rate_e6, parent, parentRate_e6 } = terms;
  if (terms.affiliate !== undefined) {
    return { kind: "affiliate", owner: terms.affiliate, rate_e6, ratio_e6: 0, share_e6: 0, parent: undefined };
  }
  if (terms.broker === undefined) throw new Error("terms of nobody");
  const hasParent = parent !== undefined && parentRate_e6 !== undefined;
  const cap_e6 = hasParent && parentRate_e6 < rate_e6 ? parentRate_e6 : rate_e6;
  if (terms.account === account) {
    const own = { kind: "broker" as const, ratio_e6: cap_e6, share_e6: 0, parent: undefined };
    return hasParent ? { ...own, owner: parent, rate_e6: parentRate_e6 } : { ...own, owner: terms.broker, rate_e6 };
  }
  const bind = books.binds.get(account);
  if (bind === undefined) throw new Error(`account ${account} came by no code`);
  const ratio_e6 = bind.ratio_e6 < cap_e6 ? bind.ratio_e6 : cap_e6;
  const larger_e6 = bind.share_e6 > terms.boundShare_e6 ? bind.share_e6 : terms.boundShare_e6;
  const share_e6 = hasParent ? larger_e6 : 0;
  return { kind: "broker", owner: terms.broker, rate_e6: cap_e6, ratio_e6, share_e6, parent };
}

/** Fees of one account under one version, with the index of its last fill. */
interface Summed {
  readonly account: number;
  readonly version: bigint;
  fee: bigint;
  last: number;
}

function sumFills(books: OracleBooks, day: string): Summed[] {
  const sums = new Map<string, Summed>();
  for (const fill of books.fills) {
    if (fill.day !== day) continue;
    const key = `${fill.account} ${fill.version}`;
    const sum = sums.get(key) ?? { account: fill.account, version: fill.version, fee: 0n, last: 0 };
    sum.fee += oracleCounted(fill);
    sum.last = Math.max(sum.last, fill.place);
    sums.set(key, sum);
  }
  return [...sums.values()].filter(({ fee }) => fee > 0n);
}

/** The target sums of a day's records of each owner and downline. */
function targetsOf(books: OracleBooks, day: string): OracleRecord[] {
  const owned = new Map<string, { rows: (Applied & Summed)[] }>();
  for (const sum of sumFills(books, day)) {
    const terms = books.terms.get(sum.version);
    if (terms === undefined) throw new Error(`no terms ${sum.version}`);
    const row = { ...sum, ...applied(books, terms, sum.account) };
    const key = keyOf(row);
    const entry = owned.get(key) ?? { rows: [] };
    entry.rows.push(row);
    owned.set(key, entry);
  }
  return [...owned.values()].map(({ rows }) => targetOf(books, rows));
}

function targetOf(books: OracleBooks, rows: readonly (Applied & Summed)[]): OracleRecord {
  // Fees under equal rates and ratios are one sum.
  const groups = new Map<string, { fee: bigint; row: Applied }>();
  for (const row of rows) {
    const key = `${row.rate_e6} ${row.ratio_e6} ${row.share_e6}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { fee: row.fee, row });
    else group.fee += row.fee;
  }
  const sums = { fee: 0n, nominal: 0n, customer: 0n, share: 0n, net: 0n };
  for (const { fee, row } of groups.values()) {
    const nominal = floor6(fee, row.rate_e6);
    const customer = floor6(fee, row.ratio_e6);
    const share = floor6(nominal - customer, row.share_e6);
    sums.fee += fee;
    sums.nominal += nominal;
    sums.customer += customer;
    sums.share += share;
    sums.net += nominal - customer - share;
  }
  const last = rows.reduce((latest, row) => (row.last > latest.last ? row : latest));
  const { kind, owner, account, rate_e6, ratio_e6, share_e6, parent } = last;
  const netPayee = kind === "affiliate" ? owner : walletOf(books, owner);
  const sharePayee = parent === undefined ? undefined : walletOf(books, parent);
  const shown = { rate_e6, ratio_e6, share_e6, netPayee, parent, sharePayee };
  return { kind, owner, account, revision: 0, ...sums, ...shown, isLocked: false };
}

function walletOf(books: OracleBooks, broker: string): string {
  const wallet = books.brokers.get(broker);
  if (wallet === undefined) throw new Error(`no broker ${broker}`);
  return wallet;
}

/** BRK-9: a day's records after a settlement, given the records before it. */
export function oracleSettle(books: OracleBooks, day: string, before: readonly OracleRecord[]): OracleRecord[] {
  const locked = before.filter(({ isLocked }) => isLocked);
  const after = [...locked];
  for (const target of targetsOf(books, day)) {
    const own = locked.filter((record) => keyOf(record) === keyOf(target));
    if (own.length === 0) {
      after.push(target);
      continue;
    }
    const rest = { fee: target.fee, nominal: target.nominal, customer: target.customer, share: target.share };
    let net = target.net;
    let revision = 0;
    for (const record of own) {
      rest.fee -= record.fee;
      rest.nominal -= record.nominal;
      rest.customer -= record.customer;
      rest.share -= record.share;
      net -= record.net;
      revision = Math.max(revision, record.revision + 1);
    }
    const isNothing = [rest.fee, rest.nominal, rest.customer, rest.share, net].every((amount) => amount === 0n);
    if (!isNothing) after.push({ ...target, ...rest, net, revision });
  }
  return after;
}

const hashOf = (kind: string, text: string | Buffer) => createHash(kind).update(text).digest();
const decimals = (value: bigint | number) => {
  const big = BigInt(value);
  const digits = String(big < 0n ? -big : big).padStart(7, "0");
  return `${big < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

export function oracleId(day: string, record: OracleRecord, wallet: string): string {
  const text = `rebate:${day}:${record.kind}:${record.owner}:${wallet}:${record.revision}`;
  return hashOf("md5", text)
    .toString("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-3$3-8$4-$5");
}

export function oracleLeaf(day: string, record: OracleRecord, wallet: string): Buffer {
  const { kind, owner, revision, fee, nominal, customer, share, net, rate_e6, ratio_e6, share_e6 } = record;
  const numbers = [fee, nominal, customer, share, net, rate_e6, ratio_e6, share_e6].map(decimals);
  const text = ["bourse-rebate-v1", kind, day, owner, wallet, revision, ...numbers].join("\n");
  return hashOf("sha256", Buffer.concat([Buffer.of(0), Buffer.from(text)]));
}

/** The root of leaves in this order, by the definition: pairs are hashed, a single one moves up unchanged. */
export function oracleRoot(day: string, leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hashOf("sha256", Buffer.concat([Buffer.of(2), Buffer.from(day)]));
  const [first] = leaves;
  if (leaves.length === 1 && first !== undefined) return first;
  const above: Buffer[] = [];
  for (let at = 0; at < leaves.length; at += 2) {
    const pair = leaves.slice(at, at + 2);
    const [alone] = pair;
    above.push(
      pair.length === 1 && alone !== undefined ? alone : hashOf("sha256", Buffer.concat([Buffer.of(1), ...pair])),
    );
  }
  return oracleRoot(day, above);
}
