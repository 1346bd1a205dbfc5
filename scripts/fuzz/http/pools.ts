/** The ids and names in the world that requests can use, of the sender and of others. */
export interface Pools {
  now_ms: number;
  orders: readonly unknown[];
  algos: readonly unknown[];
  addresses: readonly string[];
  apiKeys: readonly string[];
  codes: readonly string[];
  products: readonly string[];
  bonusBatches: readonly string[];
  bds: readonly string[];
  kols: readonly string[];
  inviteCodes: readonly unknown[];
  payouts: readonly string[];
  records: readonly string[];
  seasons: readonly string[];
  jobs: readonly string[];
  cursors: readonly string[];
  uuids: readonly string[];
  refreshTokens: readonly string[];
  signIns: readonly { readonly message: string; readonly signature: string }[];
}
