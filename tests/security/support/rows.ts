/** What the ownership matrix states about a route, and how it is written. */
import type { Party, World } from "./parties.ts";
import type { Call, Method } from "./people.ts";

/** The attacker: the other trader by its token or its API key, or the other trader's BD. */
export type By = "wallet" | "key" | "bd";

export interface Attack {
  readonly tries: string;
  readonly by?: By;
  readonly call: (owner: Named, world: World) => Call;
  /** The status of a refusal; the same call on something that does not exist must get the same refusal. */
  readonly refused?: number;
  /** Accepted as the attacker's own action: the reply must not contain anything of the victim. */
  readonly passes?: true;
}

/** Ids of what a party owns, for calls that use them. */
export type Named = Pick<
  Party,
  | "address"
  | "account"
  | "brokerId"
  | "orderId"
  | "clientOrderId"
  | "algoId"
  | "clientAlgoId"
  | "listenKey"
  | "withdrawTo"
  | "withdrawalId"
  | "requestId"
  | "subscriptionId"
  | "recordId"
  | "bonusCode"
  | "downloadId"
> & { readonly apiKey: string; readonly bdId: string; readonly codeId: number; readonly bdCodeId: number };

export type Row =
  /** Public: nothing in it belongs to one wallet, or it is meant for everybody. */
  | { readonly kind: "open"; readonly why: string }
  /** The holder of the token that is sent is its owner; the request contains no other id. */
  | { readonly kind: "bearer"; readonly why: string }
  /** Only for staff: wallets and other staff are refused for any id. */
  | { readonly kind: "staff"; readonly path: (world: World) => string }
  /** The caller's own things: another party's id in the request changes nothing. */
  | { readonly kind: "own"; readonly by: By; readonly query: Readonly<Record<string, string>>; readonly shows: boolean }
  | { readonly kind: "attacked"; readonly attacks: readonly Attack[] };

export type Rows = Readonly<Record<string, Row>>;

export const open = (why: string, ...routes: string[]): Rows =>
  Object.fromEntries(routes.map((route) => [route, { kind: "open", why }]));

export const bearer = (why: string, ...routes: string[]): Rows =>
  Object.fromEntries(routes.map((route) => [route, { kind: "bearer", why }]));

/** `shows`: the owner's reply contains a mark of the owner, so that its absence in another reply proves something. */
export const own = (
  route: string,
  query: Readonly<Record<string, string>> = {},
  { shows = false, by = "wallet" }: { readonly shows?: boolean; readonly by?: By } = {},
): Rows => ({ [route]: { kind: "own", by, query, shows } });

export const attacked = (route: string, ...attacks: Attack[]): Rows => ({ [route]: { kind: "attacked", attacks } });

export const staff = (route: string, path?: (world: World) => string): Rows => ({
  [route]: { kind: "staff", path: path ?? (() => route.split(" ")[1] ?? "") },
});

/** One kind of row for several names. */
export const each = (names: readonly string[], make: (name: string) => Rows): Rows =>
  Object.fromEntries(names.flatMap((name) => Object.entries(make(name))));

/** T12: the same under /api/v1 and at the root. */
export const both = (make: (prefix: string) => Rows): Rows => ({ ...make("/api/v1"), ...make("") });

export const call = (
  method: Method,
  path: string,
  more: { readonly query?: Readonly<Record<string, string | number>>; readonly body?: object } = {},
): Call => ({
  method,
  path,
  ...(more.query === undefined
    ? {}
    : { query: Object.fromEntries(Object.entries(more.query).map(([name, value]) => [name, String(value)])) }),
  ...(more.body === undefined ? {} : { body: more.body }),
});

export function namesOf(party: Party): Named {
  const codeId = party.directCode.id;
  return { ...party, apiKey: party.key.api_key, bdId: party.bd.id, codeId, bdCodeId: party.bdCode.id };
}

const NO_UUID = "00000000-0000-4000-8000-000000000000";

/** Valid ids that do not exist. */
export const NOBODY: Named = {
  address: `0x${"0d".repeat(20)}`,
  account: 999_999,
  brokerId: NO_UUID,
  orderId: 999_999_999,
  clientOrderId: "order-of-nobody",
  algoId: 999_999_998,
  clientAlgoId: "algo-of-nobody",
  listenKey: "0d".repeat(32),
  withdrawTo: `0x${"0e".repeat(20)}`,
  withdrawalId: NO_UUID,
  requestId: "withdrawal-of-nobody",
  subscriptionId: NO_UUID,
  recordId: NO_UUID,
  downloadId: NO_UUID,
  bonusCode: "ZZZZZZZZZZZZZZZZ",
  apiKey: "0".repeat(64),
  bdId: NO_UUID,
  codeId: 999_999_997,
  bdCodeId: 999_999_996,
};

/** Ways in which a request can claim to act for another wallet. */
export function claimsOf({ address, account, brokerId, bdId, apiKey, listenKey }: Named): Record<string, string> {
  const byAddress = [
    "address",
    "wallet",
    "wallet_address",
    "user",
    "user_address",
    "owner",
    "subject",
    "target_address",
  ];
  const byAccount = ["account", "accountId", "account_id", "uid"];
  const byBroker = ["broker_id", "brokerId", "kol_id", "parent_broker_id"];
  return {
    ...Object.fromEntries(byAddress.map((name) => [name, address])),
    ...Object.fromEntries(byAccount.map((name) => [name, String(account)])),
    ...Object.fromEntries(byBroker.map((name) => [name, brokerId])),
    bd_id: bdId,
    bd_owner_id: bdId,
    apiKey,
    api_key: apiKey,
    listenKey,
    role: "admin",
  };
}
