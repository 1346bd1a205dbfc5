import { Link, useParams } from "@tanstack/react-router";
import { tokensOf } from "../chain/tokens.ts";
import { Badge, Fact, Facts, Page, Panel } from "../kit/panel.tsx";
import { Async } from "../kit/states.tsx";
import { Time } from "../kit/time.tsx";
import { formatDecimal } from "../lib/format.ts";
import { HowInterest } from "./how.tsx";
import { ProductTerms, QuotaBar, Rates, SubscribeButton } from "./product-card.tsx";
import { useProduct } from "./queries.ts";
import { SolvencyTable } from "./solvency.tsx";
import { productWords } from "./words.ts";

const EXAMPLE_UNITS = 1_000_000_000n;

/** One product with all its terms, its example and what the contract holds for it. */
export function EarnProductPage() {
  const { productId = "" } = useParams({ strict: false });
  const query = useProduct(productId);
  return (
    <Page
      title={query.data?.name ?? "Earn"}
      lead={query.data?.description ?? "A fixed rate for a fixed term."}
      actions={
        <Link to="/earn" className="text-sm text-accent hover:underline">
          All products
        </Link>
      }
    >
      <Async query={query} rows={10} rowHeight={40}>
        {(product) => (
          <div className="grid gap-4 lg:grid-cols-3">
            <Panel
              title="Terms"
              actions={<Badge tone={productWords(product).tone}>{productWords(product).label}</Badge>}
            >
              <div className="flex flex-col gap-4">
                <Rates product={product} />
                <QuotaBar product={product} />
                <ProductTerms product={product} />
                <Facts>
                  <Fact name="Subscription begins" value={<Time at={product.subscribe_start_time} />} />
                  <Fact name="Ends, interest begins" value={<Time at={product.subscribe_end_time} />} />
                  <Fact name="Matures" value={<Time at={product.settle_time} />} />
                  <Fact
                    name="Left of the quota"
                    value={<>{formatDecimal(tokensOf(product.available_quota), { decimals: 2 })} USDT</>}
                  />
                  <Fact name="Number on chain" value={product.chain_product_id} />
                </Facts>
                <SubscribeButton product={product} />
              </div>
            </Panel>
            <Panel title="What 1,000 USDT earns">
              <HowInterest product={product} principal={EXAMPLE_UNITS} />
            </Panel>
            <Panel title="Promised and held">
              <SolvencyTable productId={product.id} />
            </Panel>
          </div>
        )}
      </Async>
    </Page>
  );
}
