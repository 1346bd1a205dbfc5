import { type EventOf, entryPrice, type MarketState } from "@bourse/engine";
import { finePriceText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import { sideName } from "../orders/names.ts";
import type { AdlFact } from "./private-facts.ts";

/** The account events of the bots' user data stream; `orders/user-data-views.ts` has those of orders. */

type Markets = readonly MarketState[];

const ASSET = "USDT";

/** The wallet balance after a change, and the affected positions. */
export interface AccountChange {
  readonly reason: string;
  readonly time_ms: number;
  readonly wallet_micros: number;
  /** Excludes profit and fees. */
  readonly change_micros: number;
  readonly positions: readonly ChangedPosition[];
}

export interface ChangedPosition {
  readonly market: number;
  readonly lots: number;
  readonly cost_micros: number;
  readonly breakEven_microTicks: number;
  readonly realised_micros: number;
  readonly isIsolated: boolean;
  readonly isolated_micros: number;
}

const unrealised = ({ definition, markTicks }: MarketState, { lots, cost_micros }: ChangedPosition) =>
  lots * markTicks * definition.unit_micros - cost_micros;

export function accountUpdate(change: AccountChange, markets: Markets): object {
  const wallet = moneyText(change.wallet_micros);
  return {
    e: "ACCOUNT_UPDATE",
    E: change.time_ms,
    T: change.time_ms,
    a: {
      m: change.reason,
      B: [{ a: ASSET, wb: wallet, cw: wallet, bc: moneyText(change.change_micros) }],
      P: change.positions.map((position) => {
        const market = markets[position.market]!;
        const { definition } = market;
        const entry_microTicks = entryPrice(position.lots, position.cost_micros, definition.unit_micros);
        return {
          s: definition.symbol,
          pa: quantityText(definition, position.lots),
          ep: finePriceText(definition, entry_microTicks),
          bep: finePriceText(definition, position.breakEven_microTicks),
          cr: moneyText(position.realised_micros),
          up: moneyText(unrealised(market, position)),
          mt: position.isIsolated ? "isolated" : "cross",
          iw: moneyText(position.isolated_micros),
          ps: "BOTH",
        };
      }),
    },
  };
}

export function accountConfigUpdate({ market, leverage }: EventOf<"leverage_set">, time_ms: number, markets: Markets) {
  const ac = { s: markets[market]!.definition.symbol, l: leverage };
  return { e: "ACCOUNT_CONFIG_UPDATE", E: time_ms, T: time_ms, ac };
}

export interface CalledPosition extends ChangedPosition {
  readonly maintenance_micros: number;
}

export function marginCall(positions: readonly CalledPosition[], wallet_micros: number, time_ms: number, all: Markets) {
  return {
    e: "MARGIN_CALL",
    E: time_ms,
    cw: moneyText(wallet_micros),
    p: positions.map((position) => {
      const market = all[position.market]!;
      return {
        s: market.definition.symbol,
        ps: "BOTH",
        pa: quantityText(market.definition, position.lots),
        mt: position.isIsolated ? "ISOLATED" : "CROSSED",
        iw: moneyText(position.isolated_micros),
        mp: priceText(market.definition, market.markTicks),
        up: moneyText(unrealised(market, position)),
        mm: moneyText(position.maintenance_micros),
      };
    }),
  };
}

/** FUT-23: why an order named `adl_autoclose` came, and how its price stood to mark and index. Clients may pass over it. */
export function adlUpdate(fact: AdlFact, markets: Markets): object {
  const { definition } = markets[fact.market]!;
  return {
    e: "ADL_UPDATE",
    E: fact.time_ms,
    T: fact.time_ms,
    s: definition.symbol,
    S: sideName(fact.side),
    q: quantityText(definition, fact.lots),
    p: priceText(definition, fact.ticks),
    mp: priceText(definition, fact.markTicks),
    ip: priceText(definition, fact.indexTicks),
    r: fact.reason,
  };
}
