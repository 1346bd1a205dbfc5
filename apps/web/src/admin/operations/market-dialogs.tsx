import type { MarketInfo } from "@bourse/api/client";
import { useState } from "react";
import { Dialog } from "../../kit/dialog.tsx";
import { hasProblems, useDraft } from "../../kit/draft.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Num, Percent } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Table } from "../../kit/table.tsx";
import { parseTyped } from "../../lib/decimal.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { ConfirmWithReason } from "../frame/reason-field.tsx";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { useWrite } from "../frame/write.ts";
import {
  type MarketDraft,
  type MarketStatus,
  plain,
  problemsOfMarket,
  STATUS_ACTIONS,
  STATUS_EFFECTS,
  STATUS_LABELS,
  STATUS_VERBS,
} from "./market-words.ts";

interface MarketDialogProps {
  readonly market: MarketInfo;
  readonly onClose: () => void;
}

export function MarketStatusDialog({ market, status, onClose }: MarketDialogProps & { readonly status: MarketStatus }) {
  const write = useWrite();
  const { symbol } = market;
  const [from, to] = [STATUS_EFFECTS[market.status], STATUS_EFFECTS[status]];
  return (
    <ConfirmWithReason
      title={`${STATUS_VERBS[status]}: ${symbol}`}
      changes={[
        { what: "Status", before: STATUS_LABELS[market.status], after: STATUS_LABELS[status] },
        { what: "Orders", ...(from.orders === to.orders ? {} : { before: from.orders }), after: to.orders },
        { what: "Risk", ...(from.risk === to.risk ? {} : { before: from.risk }), after: to.risk },
        { what: "Positions and open orders", after: "stay" },
      ]}
      actionLabel={STATUS_ACTIONS[status](symbol)}
      onClose={onClose}
      onConfirm={(reason) =>
        write(
          () => staffApi.exchangeAdmin.setMarketStatus(symbol, { status, ...reason }),
          () => `${symbol} is ${STATUS_LABELS[status]}.`,
        )
      }
    />
  );
}

export function DefinitionDialog({ market, onClose }: MarketDialogProps) {
  return (
    <Dialog title={`Definition of ${market.symbol}`} isWide onClose={onClose}>
      <Facts>
        <Fact
          name="Tick, lot"
          value={
            <>
              {market.tick_size}, {market.lot_size} {market.base_asset}
            </>
          }
        />
        <Fact
          name="Order size"
          value={
            <>
              <Num value={market.min_order_size_usd} /> to <Num value={market.max_order_size_usd} unit="USDT" />
            </>
          }
        />
        <Fact name="Limit price from the mark, at most" value={<Percent fraction={market.price_band} />} />
        <Fact name="Market order from the mark, at most" value={<Percent fraction={market.market_order_bound} />} />
        <Fact name="Liquidation fee" value={<Percent fraction={market.liquidation_fee} />} />
        <Fact name="Leverage by default" value={<>{market.default_leverage}×</>} />
        <Fact
          name="Open, conditional orders of an account"
          value={
            <>
              {market.max_open_orders}, {market.max_conditional_orders}
            </>
          }
        />
      </Facts>
      <Table
        label="Brackets"
        isDense
        rows={market.brackets}
        keyOf={({ notional_cap }) => notional_cap}
        columns={[
          ["Up to, USDT", (row) => <Num value={row.notional_cap} decimals={0} />, "number"],
          ["Leverage", (row) => `${row.max_leverage}×`, "number"],
          ["Maintenance", (row) => <Percent fraction={row.maintenance_rate} />, "number"],
          ["Less, USDT", (row) => <Num value={row.cumulative} decimals={0} />, "number"],
        ]}
      />
    </Dialog>
  );
}

/** Submits a price as a source of the index. It counts for ten seconds. */
export function PushPriceDialog({ market, onClose }: MarketDialogProps) {
  const write = useWrite();
  const [price, setPrice] = useState("");
  const [feed, setFeed] = useState("");
  const typed = parseTyped(price);
  const isPrice = typed !== undefined && !typed.isZero();
  const push = async () => {
    await write(
      () =>
        staffApi.exchangeAdmin.pushPrice({
          symbol: market.symbol,
          price: plain(price),
          ...(feed.trim() === "" ? {} : { feed: feed.trim() }),
        }),
      (report) => `The index of ${report.symbol} is ${report.index_price ?? "not known yet"}.`,
    );
    onClose();
  };
  return (
    <FormDialog
      title={`Submit a price of ${market.symbol}`}
      description={`It counts as one source for ten seconds, where PRICE_SOURCES names “push”. The index is ${market.index_price ?? "not known"} now; outliers beyond 5 % of the median are dropped.`}
      submitLabel={isPrice ? `Submit ${plain(price)} for ${market.symbol}` : "Submit the price"}
      isReady={isPrice}
      onClose={onClose}
      onSubmit={push}
    >
      <TextField
        label="Price"
        error={price === "" || isPrice ? undefined : "A price above 0."}
        kind="decimal"
        end="USDT"
        value={price}
        onChange={setPrice}
      />
      <TextField label="Feed" hint="Optional. Each feed counts as a separate source." value={feed} onChange={setFeed} />
    </FormDialog>
  );
}

const RISK_CLASSES = [
  { value: "other", label: "Other (as SOLUSDT)" },
  { value: "major", label: "Major (as BTCUSDT)" },
] as const;

const EMPTY: MarketDraft = { symbol: "", tickSize: "", lotSize: "", startPrice: "" };

/** Adds a market, which can be halted later but never removed. */
export function NewMarketDialog({ onClose }: { readonly onClose: () => void }) {
  const write = useWrite();
  const { draft, problems, field, change } = useDraft(EMPTY, problemsOfMarket);
  const [riskClass, setRiskClass] = useState<"major" | "other">("other");
  const [tick_size, lot_size, start_price] = [draft.tickSize, draft.lotSize, draft.startPrice].map(plain) as [
    string,
    string,
    string,
  ];
  const { symbol } = draft;
  const review = {
    changes: [
      { what: "Market", after: symbol },
      { what: "Tick, lot", after: `${tick_size}, ${lot_size}` },
      { what: "Starts at", after: `${start_price} USDT` },
      { what: "Margin, brackets, limits", after: riskClass === "major" ? "as BTCUSDT" : "as SOLUSDT" },
      { what: "Trading", after: "begins at once" },
    ],
    warning: "A market can be halted later, but not removed, and its tick and lot cannot be changed.",
    actionLabel: `Add ${symbol} at ${start_price} USDT`,
  };
  return (
    <ReviewDialog
      title="Add a market"
      review={hasProblems(problems) ? undefined : review}
      asksReason
      onConfirm={(reason) =>
        write(
          () =>
            staffApi.exchangeAdmin.addMarket({
              symbol,
              tick_size,
              lot_size,
              start_price,
              risk_class: riskClass,
              ...reason,
            }),
          (market) => `${market.symbol} trades.`,
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Symbol"
        hint="Ends in USDT, such as DOGEUSDT."
        kind="code"
        {...field("symbol")}
        onChange={(text) => change({ symbol: text.toUpperCase() })}
      />
      <TextField label="Tick size" hint="Prices are multiples of it." kind="decimal" {...field("tickSize")} />
      <TextField label="Lot size" hint="Quantities are multiples of it." kind="decimal" {...field("lotSize")} />
      <TextField label="Start price" hint="The index starts from it." kind="decimal" {...field("startPrice")} />
      <SelectField
        label="Risk class"
        hint="Which market's margin rules and brackets apply."
        options={RISK_CLASSES}
        value={riskClass}
        onChange={setRiskClass}
      />
    </ReviewDialog>
  );
}
