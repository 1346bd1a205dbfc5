import type { MarketInfo } from "@bourse/api/client";
import { useState } from "react";
import { ConfirmAction, Dialog } from "../../kit/dialog.tsx";
import { DecimalInput, Field, Select, TextInput } from "../../kit/field.tsx";
import { Num, Percent } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Table } from "../../kit/table.tsx";
import { parseTyped } from "../../lib/decimal.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import {
  type MarketDraft,
  type MarketStatus,
  plain,
  problemsOfMarket,
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
  const [reason, setReason] = useState("");
  const { symbol } = market;
  const [from, to] = [STATUS_EFFECTS[market.status], STATUS_EFFECTS[status]];
  return (
    <ConfirmAction
      title={`${STATUS_VERBS[status]}: ${symbol}`}
      changes={[
        { what: "Status", before: STATUS_LABELS[market.status], after: STATUS_LABELS[status] },
        { what: "Orders", ...(from.orders === to.orders ? {} : { before: from.orders }), after: to.orders },
        { what: "Risk", ...(from.risk === to.risk ? {} : { before: from.risk }), after: to.risk },
        { what: "Positions and open orders", after: "stay" },
      ]}
      actionLabel={
        status === "halted"
          ? `Halt ${symbol}`
          : status === "trading"
            ? `Let ${symbol} trade`
            : `Let ${symbol} only reduce`
      }
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() =>
        write(
          () => staffApi.exchangeAdmin.setMarketStatus(symbol, { status, ...reasonOf(reason) }),
          () => `${symbol} is ${STATUS_LABELS[status]}.`,
        )
      }
    >
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmAction>
  );
}

export function TermsDialog({ market, onClose }: MarketDialogProps) {
  return (
    <Dialog title={`Terms of ${market.symbol}`} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Facts>
        <Fact name="Tick, lot">
          {market.tick_size}, {market.lot_size} {market.base_asset}
        </Fact>
        <Fact name="Order size">
          <Num value={market.min_order_size_usd} /> to <Num value={market.max_order_size_usd} unit="USDT" />
        </Fact>
        <Fact name="Limit price from the mark, at most">
          <Percent fraction={market.price_band} />
        </Fact>
        <Fact name="Market order from the mark, at most">
          <Percent fraction={market.market_order_bound} />
        </Fact>
        <Fact name="Liquidation fee">
          <Percent fraction={market.liquidation_fee} />
        </Fact>
        <Fact name="Leverage by default">{market.default_leverage}×</Fact>
        <Fact name="Open, conditional orders of an account">
          {market.max_open_orders}, {market.max_conditional_orders}
        </Fact>
      </Facts>
      <Table
        label="Brackets"
        isDense
        rows={market.brackets}
        keyOf={({ notional_cap }) => notional_cap}
        columns={[
          {
            key: "cap",
            title: "Up to, USDT",
            isNumber: true,
            cell: (row) => <Num value={row.notional_cap} decimals={0} />,
          },
          { key: "leverage", title: "Leverage", isNumber: true, cell: (row) => `${row.max_leverage}×` },
          {
            key: "rate",
            title: "Maintenance",
            isNumber: true,
            cell: (row) => <Percent fraction={row.maintenance_rate} />,
          },
          {
            key: "cumulative",
            title: "Less, USDT",
            isNumber: true,
            cell: (row) => <Num value={row.cumulative} decimals={0} />,
          },
        ]}
      />
    </Dialog>
  );
}

/** A price of an operator's own source; it counts for ten seconds. */
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
      title={`Hand in a price of ${market.symbol}`}
      description={`It counts as one source for ten seconds, where PRICE_SOURCES names “push”. The index is ${market.index_price ?? "not known"} now; outliers beyond 5 % of the median are dropped.`}
      submitLabel={isPrice ? `Hand in ${plain(price)} for ${market.symbol}` : "Hand in the price"}
      isReady={isPrice}
      onClose={onClose}
      onSubmit={push}
    >
      <Field label="Price" error={price === "" || isPrice ? undefined : "A price above 0."}>
        {(ids) => <DecimalInput {...ids} end="USDT" value={price} onChange={(event) => setPrice(event.target.value)} />}
      </Field>
      <Field label="Feed" hint="Optional. Each feed is a source of its own.">
        {(ids) => <TextInput {...ids} value={feed} onChange={(event) => setFeed(event.target.value)} />}
      </Field>
    </FormDialog>
  );
}

const FIELDS: readonly { readonly name: keyof MarketDraft; readonly label: string; readonly hint: string }[] = [
  { name: "symbol", label: "Symbol", hint: "Ends in USDT, such as DOGEUSDT." },
  { name: "tickSize", label: "Tick size", hint: "Prices are multiples of it." },
  { name: "lotSize", label: "Lot size", hint: "Quantities are multiples of it." },
  { name: "startPrice", label: "Start price", hint: "The index starts from it." },
];

const EMPTY: MarketDraft = { symbol: "", tickSize: "", lotSize: "", startPrice: "" };

interface NewMarketDialogProps {
  readonly onClose: () => void;
}

/** A market cannot be taken away again, only halted: so it is asked for once more. */
export function NewMarketDialog({ onClose }: NewMarketDialogProps) {
  const write = useWrite();
  const [draft, setDraft] = useState(EMPTY);
  const [riskClass, setRiskClass] = useState<"major" | "other">("other");
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const problems = problemsOfMarket(draft);
  if (isAsking) {
    return (
      <ConfirmAction
        title="Add a market"
        changes={[
          { what: "Market", after: draft.symbol },
          { what: "Tick, lot", after: `${plain(draft.tickSize)}, ${plain(draft.lotSize)}` },
          { what: "Starts at", after: `${plain(draft.startPrice)} USDT` },
          { what: "Margin, brackets, limits", after: riskClass === "major" ? "as BTCUSDT" : "as SOLUSDT" },
          { what: "Trading", after: "begins at once" },
        ]}
        warning="A market can be halted later, not removed, and its tick and lot stay."
        actionLabel={`Add ${draft.symbol} at ${plain(draft.startPrice)} USDT`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={() =>
          write(
            () =>
              staffApi.exchangeAdmin.addMarket({
                symbol: draft.symbol,
                tick_size: plain(draft.tickSize),
                lot_size: plain(draft.lotSize),
                start_price: plain(draft.startPrice),
                risk_class: riskClass,
                ...reasonOf(reason),
              }),
            (market) => `${market.symbol} trades.`,
          )
        }
      />
    );
  }
  return (
    <FormDialog
      title="Add a market"
      submitLabel="Review the market"
      isReady={Object.keys(problems).length === 0}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      {FIELDS.map(({ name, label, hint }) => (
        <Field key={name} label={label} hint={hint} error={draft[name] === "" ? undefined : problems[name]}>
          {(ids) => (
            <DecimalInput
              {...ids}
              inputMode={name === "symbol" ? "text" : "decimal"}
              value={draft[name]}
              onChange={(event) =>
                setDraft({
                  ...draft,
                  [name]: name === "symbol" ? event.target.value.toUpperCase() : event.target.value,
                })
              }
            />
          )}
        </Field>
      ))}
      <Field label="Risk class" hint="Whose margin terms and brackets hold.">
        {(ids) => (
          <Select
            {...ids}
            value={riskClass}
            onChange={(event) => setRiskClass(event.target.value === "major" ? "major" : "other")}
          >
            <option value="other">Other (as SOLUSDT)</option>
            <option value="major">Major (as BTCUSDT)</option>
          </Select>
        )}
      </Field>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
