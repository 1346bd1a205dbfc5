import type { FeeInfo } from "@bourse/api";
import {
  type Engine,
  effectiveRate_e8,
  FEE_TIERS,
  FLAG_DOWNGRADE,
  MONTH_WINDOW_days,
  sumVolumes,
  tierOfVolume,
} from "@bourse/engine";
import { DAY_ms } from "../../kernel/dates.ts";
import { decimalText, moneyText, rateText } from "../../kernel/units.ts";

const BPS_DIGITS = 4;

const tiers: FeeInfo["tiers"] = FEE_TIERS.map(({ tier, minVolume14d_micros, maker_e8, taker_e8 }) => ({
  tier,
  name: `VIP ${tier}`,
  min_volume_14d: moneyText(minVolume14d_micros),
  maker_rate: rateText(maker_e8),
  taker_rate: rateText(taker_e8),
}));

/** Interface 4.7: the tiers, and the rates of an account without trading volume. */
const schedule = { tiers, baseline: tiers[0]! };

/** WIRE-10, FUT-15: the schedule and, if an account is given, its own rates. */
export function feeInfo({ state }: Engine, account?: number): FeeInfo {
  if (account === undefined) return schedule;
  const { accounts, day } = state;
  const tier = accounts.tier(account);
  const volume14d = accounts.volume14d(account);
  const volume30d = sumVolumes(accounts.volumes, accounts.volumesAt(account), day, MONTH_WINDOW_days);
  const isFalling = accounts.hasFlag(account, FLAG_DOWNGRADE);
  return {
    ...schedule,
    ...termsOf(tier, accounts.discount_bps(account)),
    volume_14d: moneyText(volume14d),
    volume_30d: moneyText(volume30d),
    pending_downgrade: isFalling ? { tier: tierOfVolume(volume14d), effective_time: (day + 1) * DAY_ms } : null,
  };
}

/** The rates of a wallet without an account. */
export function feeInfoOfNewcomer(): FeeInfo {
  return {
    ...schedule,
    ...termsOf(0, 0),
    volume_14d: moneyText(0),
    volume_30d: moneyText(0),
    pending_downgrade: null,
  };
}

function termsOf(tier: number, discount_bps: number) {
  const { maker_e8, taker_e8 } = FEE_TIERS[tier]!;
  return {
    tier,
    discounts: discount_bps === 0 ? [] : [{ kind: "referral", discount: decimalText(discount_bps, BPS_DIGITS) }],
    effective: {
      maker_rate: rateText(effectiveRate_e8(maker_e8, discount_bps)),
      taker_rate: rateText(effectiveRate_e8(taker_e8, discount_bps)),
    },
  };
}
