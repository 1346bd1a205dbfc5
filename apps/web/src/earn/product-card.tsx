import type { ProductDetail } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { tokensOf } from "../chain/tokens.ts";
import { Button } from "../kit/button.tsx";
import { Num } from "../kit/number.tsx";
import { Badge, Fact, Facts, Notice } from "../kit/panel.tsx";
import { Progress } from "../kit/progress.tsx";
import { Countdown, Time } from "../kit/time.tsx";
import { fractionForDrawing } from "../lib/decimal.ts";
import { formatCompact, formatDecimal } from "../lib/format.ts";
import { openConnect } from "../session/connect.ts";
import { useSession } from "../session/session.ts";
import { sayDuration } from "./interest.ts";
import { SolvencyLine } from "./solvency.tsx";
import { SubscribeDialog } from "./subscribe-dialog.tsx";
import { nextMoment, productWords } from "./words.ts";

const whole = (units: string) => formatDecimal(tokensOf(units), { decimals: 0 });

export function QuotaBar({ product }: { readonly product: ProductDetail }) {
  const { subscribed_amount, total_quota, subscription_rate } = product;
  const figure = `${whole(subscribed_amount)} of ${formatCompact(tokensOf(total_quota))} USDT · ${subscription_rate} %`;
  return (
    <Progress
      label="Subscribed"
      fraction={fractionForDrawing(subscribed_amount, total_quota)}
      figure={<span title={`${tokensOf(subscribed_amount)} of ${tokensOf(total_quota)} USDT`}>{figure}</span>}
    />
  );
}

export function Rates({ product }: { readonly product: ProductDetail }) {
  return (
    <div className="flex items-end justify-between gap-3">
      <div className="flex flex-col">
        <span className="num text-3xl font-semibold">
          {product.annual_rate}
          <span className="text-lg text-muted"> %</span>
        </span>
        <span className="text-xs text-muted">a year</span>
      </div>
      <div className="flex flex-col text-right">
        <span className="num font-medium">{product.period_rate} %</span>
        <span className="text-xs text-muted">for {sayDuration(product.duration_seconds)}</span>
      </div>
    </div>
  );
}

export function ProductTerms({ product }: { readonly product: ProductDetail }) {
  const moment = nextMoment(product);
  return (
    <Facts>
      <Fact
        name={moment?.what ?? "Settled"}
        value={
          moment === undefined ? <Time at={product.settle_time} /> : <Countdown until={moment.at} done="any moment" />
        }
      />
      <Fact
        name="From / up to per user"
        value={
          <>
            {whole(product.min_amount)} / {whole(product.max_amount_per_user)} USDT
          </>
        }
      />
      <Fact name="Subscribers" value={<Num value={product.subscriber_count} />} />
    </Facts>
  );
}

/** One button that says what can be done, or why not. */
export function SubscribeButton({ product }: { readonly product: ProductDetail }) {
  const [isOpen, setOpen] = useState(false);
  const session = useSession("wallet");
  const isOpenNow = product.is_subscribing && !product.is_sold_out;
  if (!isOpenNow) {
    const words = product.status === "subscribing" ? "Sold out" : "Subscription closed";
    return (
      <Button size="large" disabled>
        {product.status === "created" ? "Opens soon" : words}
      </Button>
    );
  }
  return (
    <>
      <Button look="primary" size="large" onClick={() => (session === undefined ? openConnect() : setOpen(true))}>
        {session === undefined ? "Sign in to subscribe" : "Subscribe"}
      </Button>
      {session !== undefined && isOpen && <SubscribeDialog product={product} onClose={() => setOpen(false)} />}
    </>
  );
}

export function ProductCard({ product }: { readonly product: ProductDetail }) {
  const { label, tone } = productWords(product);
  return (
    <article aria-label={product.name} className="flex min-w-0 flex-1 flex-col gap-3 rounded-lg bg-panel p-4">
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 className="truncate text-base font-semibold">
            <Link
              to="/earn/$productId"
              params={{ productId: String(product.chain_product_id) }}
              className="hover:underline"
            >
              {product.name}
            </Link>
          </h3>
          {product.description !== null && (
            <p className="line-clamp-2 text-xs text-muted" title={product.description}>
              {product.description}
            </p>
          )}
        </div>
        <Badge tone={tone}>{label}</Badge>
      </header>
      <Rates product={product} />
      <QuotaBar product={product} />
      <ProductTerms product={product} />
      {product.settlement_delayed && (
        <Notice>It has matured, but its interest is not paid in yet. It is settled as soon as it is.</Notice>
      )}
      <div className="mt-auto flex flex-col gap-2">
        {product.status !== "created" && <SolvencyLine productId={product.id} />}
        <SubscribeButton product={product} />
      </div>
    </article>
  );
}
