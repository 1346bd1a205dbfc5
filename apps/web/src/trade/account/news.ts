import type { AccountEvent, BonusData, ConditionalEvent } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";
import { toast } from "../../kit/toast.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { formatDuration } from "../../lib/time.ts";
import { addFill, baseOf, type FillSum, fillWords, isForced } from "./fills.ts";
import { isConditionalEvent } from "./orders-model.ts";
import { asWritten, endReason, typeWords } from "./words.ts";

/** Long enough for all fills of one order, short enough to be felt as at once. */
const MERGE_MS = 250;

let sums: ReadonlyMap<string, FillSum> = new Map();

function flush(): void {
  const told = [...sums.values()];
  sums = new Map();
  for (const sum of told) {
    const { title, detail } = fillWords(sum);
    toast(isForced(sum) ? "warn" : sum.side === "BUY" ? "up" : "down", title, detail);
  }
}

interface News {
  readonly tone: Tone;
  readonly title: string;
  readonly detail?: string;
}

const isNone = (price: string) => Decimal.parse(price).isZero();

/** News of a conditional order: when it is triggered, and when it ends without being cancelled by the trader. */
export function conditionalNews(event: ConditionalEvent): News | undefined {
  const name = `${typeWords(event.type)} ${baseOf(event.symbol)}`;
  const at = isNone(event.stop_price) ? "" : ` at ${asWritten(event.stop_price)}`;
  if (event.status === "TRIGGERED") {
    const detail = isNone(event.price) ? "A market order follows." : "Its order is in the market.";
    return { tone: "accent", title: `${name}: triggered${at}`, detail };
  }
  if (event.status === "REJECTED" || event.status === "EXPIRED") {
    return { tone: "warn", title: `${name}${at} ended without an order`, detail: endReason(event.reason) };
  }
  return undefined;
}

/** What of the bonus a trader must not miss. */
export function bonusNews(event: BonusData): News | undefined {
  if (event.kind === "GRANT") return { tone: "accent", title: `Bonus of ${formatMoney(event.amount)} USDT granted` };
  if (event.kind === "RECALL" || event.kind === "EXPIRE") {
    return { tone: "warn", title: `${formatMoney(event.amount)} USDT of the bonus went back`, detail: "It has ended." };
  }
  if (event.kind === "WARNING" && event.remaining_ms !== undefined) {
    const left = formatDuration(event.remaining_ms);
    return { tone: "warn", title: `The bonus ends in ${left}`, detail: "Close positions that depend on it in time." };
  }
  return undefined;
}

/** Says at the edge of the screen what has happened to the account. A hundred fills are one message. */
export function tellNews(event: AccountEvent): void {
  if (event.channel === "orders" && !isConditionalEvent(event.data)) {
    if (event.data.trade === null) return;
    if (sums.size === 0) setTimeout(flush, MERGE_MS);
    sums = addFill(sums, event.data);
    return;
  }
  const news =
    event.channel === "orders" && isConditionalEvent(event.data)
      ? conditionalNews(event.data)
      : event.channel === "bonus"
        ? bonusNews(event.data)
        : undefined;
  if (news !== undefined) toast(news.tone, news.title, news.detail);
}
