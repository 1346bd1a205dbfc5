/**
 * LOG-3: what is known of each table when the database is lost.
 * - `log`: the rebuild writes its rows from the log. `but` says which rows only the database knew, if there are any.
 * - `chain`: the indexer writes its rows again from the contracts' events, beginning with the first block.
 * - `lost`: only the database knew it. What is said of it is shown to the operator.
 * - `passing`: holds nothing that is worth keeping: caches, progress of jobs, what is computed anew.
 */
export type TableClass =
  | { readonly from: "log"; readonly except?: Readonly<Record<string, string>>; readonly but?: string }
  | { readonly from: "chain" }
  | { readonly from: "lost"; readonly what: string }
  | { readonly from: "passing"; readonly why: string };

const LOG = { from: "log" } as const;
const CHAIN = { from: "chain" } as const;
const lost = (what: string) => ({ from: "lost", what }) as const;
const passing = (why: string) => ({ from: "passing", why }) as const;
/** Columns whose values the log does not have, and why. */
const logBut = (except: Readonly<Record<string, string>>) => ({ from: "log", except }) as const;

const DECIDED = "when it was decided in the database; the log has the moment at which the engine got it";

/** SEC-11: the log hears of them when the account is opened. */
const PARTNERS = {
  from: "log",
  but: "roles of partners and binds by their codes, of wallets without an account",
} as const;

const SETTLED = passing("closed days are computed again where the log has them closed, the running day by its job");

export const TABLE_CLASSES: Readonly<Record<string, TableClass>> = {
  // The kernel
  outbox: logBut({
    id: "counts rows as they were written",
    created_at: DECIDED,
    delivered_at: "the moment at which the database heard of it",
    payload: "a reason for readers, and settings that went with an opening, are only in the database",
  }),
  kernel_state: passing("the last number of the outbox is the log's, the development clock begins anew"),
  job_state: passing("jobs find out by themselves what is due, or from the log"),
  audit_log: lost("the audit log"),
  // Sign-in
  auth_nonce: passing("open sign-ins"),
  wallet: lost("settings of wallets"),
  forgotten_wallet: lost("settings of wallets"),
  staff: lost("staff and their passwords"),
  login_failure: passing("counters of failed sign-ins"),
  session: lost("sessions: everybody signs in again"),
  refresh_token: lost("sessions: everybody signs in again"),
  api_key: lost("API keys"),
  // The exchange
  exchange_account: logBut({ opened_at: DECIDED }),
  exchange_kept_setting: lost("leverage and margin mode that wallets without an account had chosen"),
  exchange_order: LOG,
  exchange_order_amendment: LOG,
  exchange_algo_order: LOG,
  exchange_fill: LOG,
  exchange_income: LOG,
  exchange_bonus_line: LOG,
  exchange_margin_move: LOG,
  exchange_tier_change: LOG,
  exchange_market: LOG,
  exchange_funding_rate: LOG,
  exchange_kline: LOG,
  exchange_risk_event: LOG,
  exchange_pair_hour: LOG,
  exchange_cursor: LOG,
  exchange_traded: passing("accounts whose fills were removed: all fills are written again"),
  exchange_equity: lost("the hourly equity of accounts"),
  exchange_market_sample: lost("statistics of markets: open interest and who was long and short"),
  exchange_download: passing("files of histories, which are made again for whoever asks"),
  exchange_download_part: passing("files of histories, which are made again for whoever asks"),
  price_market: lost(
    "prices that staff has pinned, premiums of the hour, and whether the want of an index holds a market",
  ),
  listen_key: passing("keys of open streams"),
  exchange_private_event: passing("events for clients that reconnect within hours"),
  exchange_private_floor: passing("events for clients that reconnect within hours"),
  exchange_private_cursor: passing("events for clients that reconnect within hours"),
  // Money between chain and accounts
  deposit: logBut({
    created_at: DECIDED,
    updated_at: "changes again when the chain is read again",
    block_number: "from the chain, when it is read again",
    orphaned_at: "from the chain, when it is read again",
  }),
  withdrawal: logBut({
    created_at: DECIDED,
    updated_at: "changes with every attempt to send it",
    settled_at: DECIDED,
    reason: "why the Vault will never pay it",
    hold_up: "why it is not sent yet",
    attempt: "counts the attempts of the operator whose records are lost",
    tx_hash: "from the chain, when it is read again",
    paid_block: "from the chain, when it is read again",
    review_until: "a withdrawal that waited for review is judged again",
    reviewed_at: "a withdrawal that waited for review is judged again",
  }),
  withdrawal_hold: passing(
    "holds are set again by the score of linked wallets; those of a struck cap end within a day",
  ),
  wallet_bankruptcy: passing("only the last hour is asked for"),
  withdraw_address: lost("addresses that API keys may withdraw to"),
  chain_cursor: CHAIN,
  chain_block: CHAIN,
  chain_event: CHAIN,
  chain_transaction: lost("records of the operator's transactions"),
  chain_attempt: lost("records of the operator's transactions"),
  // Referral and earn
  referral_code: CHAIN,
  referral_trader: CHAIN,
  referral_affiliate: CHAIN,
  referral_tier_terms: CHAIN,
  referral_discount: LOG,
  referral_batch: CHAIN,
  referral_credit: CHAIN,
  referral_claim: CHAIN,
  referral_sync: lost("batches of rebates on their way to the chain"),
  earn_product: lost("names and descriptions of earn products"),
  earn_action: lost("changes of earn products on their way to the chain"),
  earn_chain_product: CHAIN,
  earn_subscription: CHAIN,
  earn_reservation: lost("open vouchers of earn products"),
  // Brokers
  broker_tier: LOG,
  broker: PARTNERS,
  broker_invite_code: lost("invite codes of brokers that no wallet with an account has used"),
  broker_bind: PARTNERS,
  broker_terms: LOG,
  broker_accrual: LOG,
  broker_pre_settlement: LOG,
  rebate_period: SETTLED,
  rebate_root: SETTLED,
  rebate_record: SETTLED,
  broker_day_total: SETTLED,
  broker_total: SETTLED,
  broker_downline_total: SETTLED,
  payout_batch: logBut({
    status: "from the chain, when payments go on",
    vault_tx_hash: "from the chain",
    hold_up: "why the payment does not continue",
    updated_at: "changes with every attempt to pay",
    paid_at: "from the chain, when payments go on",
  }),
  payout_payee: logBut({ tx_hash: "from the chain, when payments go on", paid_at: "from the chain" }),
  payout_line: LOG,
  // Points
  points_level: LOG,
  points_rule: logBut({ created_at: "of the first rule: when the database was made" }),
  points_maker: LOG,
  points_season: LOG,
  points_allocation: LOG,
  points_line: logBut({ id: "counts rows as they were written" }),
  points_total: LOG,
  points_maker_volume: LOG,
  // Bonus
  bonus_campaign: lost("campaign settings"),
  bonus_batch: lost("names and notes of bonus batches"),
  bonus_code: lost("bonus codes"),
  bonus_account: logBut({
    code_hash: "the redeemed code",
    granted_at: DECIDED,
    warned_24h_at: "whether the wallet was warned",
    warned_1h_at: "whether the wallet was warned",
    freeze_reason: "the reason is only in the database",
  }),
  bonus_pool: logBut({ stopped_reason: "decided by staff or by a job", stopped_at: "decided by staff or by a job" }),
  bonus_pool_line: logBut({ id: "counts rows as they were written", time_ms: DECIDED }),
  bonus_line_sum: LOG,
  bonus_request: lost("answers to repeated requests of staff"),
  bonus_reconcile: passing("reports, which are made again"),
  bonus_reconcile_freeze: LOG,
  bonus_funding: CHAIN,
  bonus_pair: passing("counted again from the fills, by the job that scores linked wallets"),
};

/** Of the database itself. */
const OWN_TABLES: ReadonlySet<string> = new Set(["kysely_migration", "kysely_migration_lock"]);

/** Tables without a class, for the test that there are none. */
export const unclassified = (tables: readonly string[]): string[] =>
  tables.filter((table) => !OWN_TABLES.has(table) && !Object.hasOwn(TABLE_CLASSES, table));

/** What only the database knew, each once. */
export const lostThings = (): string[] => [
  ...new Set(
    Object.values(TABLE_CLASSES).flatMap((one) => {
      if (one.from === "lost") return [one.what];
      return one.from === "log" ? (one.but ?? []) : [];
    }),
  ),
];
