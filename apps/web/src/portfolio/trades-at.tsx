import type { AccountTrade } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { Num, Signed } from "../kit/number.tsx";
import { Fact, Facts } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { Decimal } from "../lib/decimal.ts";
import { api } from "../session/session.ts";
import { useKey } from "./queries.ts";

interface TradesAtProps {
  readonly time: number;
  readonly symbol?: string;
  /** Only this one. */
  readonly tradeId?: number;
  /** Only those of whose fee the bonus paid this much. */
  readonly feeFromBonus?: string;
}

/** The fills of a moment: where fees, profits and what a bonus has paid come from. */
export function TradesAt({ time, symbol, tradeId, feeFromBonus }: TradesAtProps) {
  const query = useQuery({
    queryKey: useKey("trades-at", symbol, time),
    queryFn: ({ signal }) => api.account.trades({ symbol, start_time: time, end_time: time }, { signal }),
  });
  const isMeant = ({ id, fee_from_bonus }: AccountTrade) =>
    (tradeId === undefined || id === tradeId) &&
    (feeFromBonus === undefined || Decimal.parse(fee_from_bonus).equals(Decimal.parse(feeFromBonus)));
  return (
    <Async
      query={query}
      skeleton={<Skeleton rows={6} rowHeight={24} />}
      isEmpty={({ trades }) => !trades.some(isMeant)}
      empty={<EmptyState title="No fill of yours is noted at that moment" />}
    >
      {({ trades }) => (
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
      <Fact name={`Fill ${trade.id} of order ${trade.order_id}`}>
        <span className={trade.side === "BUY" ? "text-up" : "text-down"}>
          {trade.side === "BUY" ? "Bought" : "Sold"}
        </span>{" "}
        {trade.symbol}
      </Fact>
      <Fact name="Quantity × price">
        <Num value={trade.quantity} /> × <Num value={trade.price} />
      </Fact>
      <Fact name="Value">
        <Num value={trade.value} unit="USDT" />
      </Fact>
      <Fact name={`Fee as ${trade.is_maker ? "maker" : "taker"}`}>
        <Num value={trade.fee} unit="USDT" />
      </Fact>
      <Fact name="Of it from the bonus">
        <Num value={trade.fee_from_bonus} unit="USDT" />
      </Fact>
      <Fact name="Realised PnL">
        <Signed value={trade.realized_pnl} decimals={6} unit="USDT" />
      </Fact>
    </Facts>
  );
}
