import type { AccountTrade } from "@bourse/api/client";
import { Num, Signed } from "../kit/number.tsx";
import { Fact, Facts } from "../kit/panel.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { Decimal } from "../lib/decimal.ts";
import { useRead } from "../lib/use-read.ts";
import { api } from "../session/session.ts";
import { useKey } from "./queries.ts";

interface TradesAtProps {
  readonly time: number;
  readonly symbol?: string;
  /** Only this one. */
  readonly tradeId?: number;
  /** Only fills of which the bonus paid this much of the fee. */
  readonly feeFromBonus?: string;
}

/** The fills of a moment, from which fees, profits and bonus costs come. */
export function TradesAt({ time, symbol, tradeId, feeFromBonus }: TradesAtProps) {
  const query = useRead(useKey("trades-at", symbol, time), (call) =>
    api.account.trades({ symbol, start_time: time, end_time: time }, call),
  );
  const isMeant = ({ id, fee_from_bonus }: AccountTrade) =>
    (tradeId === undefined || id === tradeId) &&
    (feeFromBonus === undefined || Decimal.parse(fee_from_bonus).equals(Decimal.parse(feeFromBonus)));
  return (
    <Async
      query={query}
      rows={6}
      rowHeight={24}
      isEmpty={({ items: trades }) => !trades.some(isMeant)}
      empty={<EmptyState title="No fill of yours is recorded at that moment" />}
    >
      {({ items: trades }) => (
        <ul className="flex flex-col gap-2">
          {trades.filter(isMeant).map((trade) => (
            <li key={`${trade.symbol} ${trade.id}`} className="rounded-md bg-raised p-3">
              <TradeFacts trade={trade} />
            </li>
          ))}
        </ul>
      )}
    </Async>
  );
}

function TradeFacts({ trade }: { readonly trade: AccountTrade }) {
  return (
    <Facts>
      <Fact
        name={`Fill ${trade.id} of order ${trade.order_id}`}
        value={
          <>
            <span className={trade.side === "BUY" ? "text-up" : "text-down"}>
              {trade.side === "BUY" ? "Bought" : "Sold"}
            </span>{" "}
            {trade.symbol}
          </>
        }
      />
      <Fact
        name="Quantity × price"
        value={
          <>
            <Num value={trade.quantity} /> × <Num value={trade.price} />
          </>
        }
      />
      <Fact name="Value" value={<Num value={trade.value} unit="USDT" />} />
      <Fact name={`Fee as ${trade.is_maker ? "maker" : "taker"}`} value={<Num value={trade.fee} unit="USDT" />} />
      <Fact name="Of it from the bonus" value={<Num value={trade.fee_from_bonus} unit="USDT" />} />
      <Fact name="Realised PnL" value={<Signed value={trade.realized_pnl} decimals={6} unit="USDT" />} />
    </Facts>
  );
}
