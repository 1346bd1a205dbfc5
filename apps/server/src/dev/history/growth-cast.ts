/*
 * The participants of the demo's seasons and its bonus campaign. Days count from the last day of the history, so that a short
 * history contains the newest events.
 */

export const MARKET_MAKERS = [
  { label: "demo counterpart", name: "Harbour Liquidity" },
  { label: "demo market maker", name: "Bourse market maker" },
] as const;

export const COUNTERPART = MARKET_MAKERS[0].label;

export interface DemoBatch {
  readonly batch_name: string;
  readonly daysBeforeEnd: number;
  readonly grant_tier: "COMMUNITY" | "KOL";
  readonly amount: string;
  readonly max_leverage: number;
  readonly notes: string;
  readonly recipients: readonly string[];
}

const newcomer = (place: number) => `demo newcomer ${place}`;
const newcomers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, step) => newcomer(from + step));

export const TWINS = ["demo twin 1", "demo twin 2"] as const;
/** The wallet that paid for both twins. */
export const SPONSOR = "demo sponsor";

/** The first batch has expired by now; of the others some wallets trade, some have not started. */
export const BATCHES: readonly DemoBatch[] = [
  {
    batch_name: "Warm-up",
    daysBeforeEnd: 20,
    grant_tier: "COMMUNITY",
    amount: "50",
    max_leverage: 5,
    notes: "For the first to sign up",
    recipients: newcomers(1, 3),
  },
  {
    batch_name: "Community week",
    daysBeforeEnd: 3,
    grant_tier: "COMMUNITY",
    amount: "200",
    max_leverage: 10,
    notes: "Winners of the community quiz",
    recipients: [...newcomers(4, 8), ...TWINS],
  },
  {
    batch_name: "Partner giveaway",
    daysBeforeEnd: 3,
    grant_tier: "KOL",
    amount: "500",
    max_leverage: 20,
    notes: "Codes are given away by partners",
    recipients: [newcomer(9)],
  },
];

export const CODES = { batch: "Partner giveaway", amount: "100", count: 24, ttl_days: 60 } as const;
/** They redeem the first codes of the giveaway. */
export const REDEEMERS = newcomers(10, 12);
export const FROZEN = newcomer(8);
export const RECALLED = newcomer(6);

/** Newcomers who hold a position on their bonus, with its size. */
export const HOLDERS: readonly { readonly label: string; readonly usdt: number; readonly isLong: boolean }[] = [
  { label: newcomer(4), usdt: 900, isLong: true },
  { label: newcomer(5), usdt: 650, isLong: false },
  { label: newcomer(7), usdt: 400, isLong: true },
  { label: newcomer(8), usdt: 800, isLong: true },
  { label: newcomer(9), usdt: 2_400, isLong: true },
  { label: newcomer(10), usdt: 300, isLong: false },
  { label: newcomer(11), usdt: 450, isLong: true },
  // One wins what the other loses.
  { label: TWINS[0], usdt: 1_200, isLong: true },
  { label: TWINS[1], usdt: 1_200, isLong: false },
];

/** The own money of every participant of the campaign. */
export const OWN_MONEY: readonly { readonly label: string; readonly usdt: number }[] = [
  ...newcomers(1, 12).map((label, place) => ({ label, usdt: 100 + 25 * place })),
  ...TWINS.map((label) => ({ label, usdt: 150 })),
  { label: SPONSOR, usdt: 2_000 },
];

/** Newcomers and twins, with their display names. */
export const GROWTH_PERSONAS: readonly { readonly name: string; readonly label: string }[] = [
  ...newcomers(1, 12).map((label, place) => ({ name: `Newcomer ${place + 1}`, label })),
  ...TWINS.map((label, place) => ({ name: `Twin ${place + 1}`, label })),
];
