import type { AccountIncome } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Dialog } from "../../kit/dialog.tsx";
import { Num, Percent, Signed } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { useRead } from "../../lib/use-read.ts";
import { api } from "../../session/session.ts";
import { useKey } from "../queries.ts";
import { TradesAt } from "../trades-at.tsx";
import { incomeName } from "./income-sums.ts";

const EXPLANATIONS: Readonly<Record<string, string>> = {
  COMMISSION: "The fee of a fill: its value × the rate of your tier after discounts, rounded up to 0.000001 USDT.",
  REALIZED_PNL:
    "What a fill that reduced the position has made: (price − average entry) × quantity, with the sign of the side.",
  FUNDING_FEE:
    "At every full hour: position × mark price × funding rate. Longs pay shorts while the rate is above zero.",
  TRANSFER:
    "Money between your wallet and the exchange: above zero a deposit or a withdrawal that came back, below zero a withdrawal.",
  WELCOME_BONUS: "Bonus that was credited, or that went back to the pool.",
  INSURANCE_CLEAR: "The fee of a liquidation, which goes to the insurance fund.",
};

const OF_TRADES = ["COMMISSION", "REALIZED_PNL", "INSURANCE_CLEAR"];

/** Explains a line of income. */
export function HowIncome({ row, onClose }: { readonly row: AccountIncome | undefined; readonly onClose: () => void }) {
  return (
    <Dialog
      title={row === undefined ? "" : `How it is calculated: ${incomeName(row.type)}`}
      description={row === undefined ? "" : (EXPLANATIONS[row.type] ?? "A line of your account.")}
      isOpen={row !== undefined}
      onClose={onClose}
    >
      {row !== undefined && (
        <div className="flex flex-col gap-3">
          <Facts>
            <Fact name="Amount" value={<Signed value={row.amount} decimals={6} unit="USDT" />} />
            <Fact name="Time" value={<Time at={row.time} precision="second" />} />
            {row.symbol !== null && <Fact name="Market" value={row.symbol} />}
          </Facts>
          {OF_TRADES.includes(row.type) && row.symbol !== null && (
            <TradesAt
              time={row.time}
              symbol={row.symbol}
              {...(row.trade_id === null ? {} : { tradeId: row.trade_id })}
            />
          )}
          {row.type === "FUNDING_FEE" && row.symbol !== null && <FundingAt symbol={row.symbol} time={row.time} />}
          {row.type === "WELCOME_BONUS" && (
            <Link to="/portfolio/$tab" params={{ tab: "bonus" }} className="text-sm text-accent hover:underline">
              To the bonus and its ledger
            </Link>
          )}
          {row.type === "TRANSFER" && (
            <Link to="/portfolio/$tab" params={{ tab: "funds" }} className="text-sm text-accent hover:underline">
              To deposits and withdrawals
            </Link>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Funding of an hour is booked in the minutes after it. */
const BOOKED_WITHIN_MS = 10 * 60_000;

function FundingAt({ symbol, time }: { readonly symbol: string; readonly time: number }) {
  const query = useRead(useKey("funding-at", symbol, time), (call) =>
    api.market.fundingRates(symbol, { start_time: time - BOOKED_WITHIN_MS, end_time: time }, call),
  );
  return (
    <Async
      query={query}
      rows={2}
      isEmpty={({ items }) => items.length === 0}
      empty={<EmptyState title="The rate of that hour is no longer kept" />}
    >
      {({ items: history }) => (
        <Facts className="rounded-md bg-raised p-3">
          <Fact name="Funding rate of the hour" value={<Percent fraction={history.at(-1)?.rate} decimals={6} />} />
          <Fact name="Mark price" value={<Num value={history.at(-1)?.mark_price} />} />
        </Facts>
      )}
    </Async>
  );
}
