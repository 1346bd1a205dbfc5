import { useState } from "react";
import { Segmented } from "../kit/field.tsx";
import { Page, Panel } from "../kit/panel.tsx";
import { SignInFirst } from "../session/sign-in-first.tsx";
import { MyPositions } from "./positions.tsx";
import type { EarnFilter } from "./product-grid.tsx";
import { EARN_FILTERS, ProductGrid } from "./product-grid.tsx";

export function EarnPage() {
  const [filter, setFilter] = useState<EarnFilter>("all");
  return (
    <Page
      title="Earn"
      lead="A fixed rate for a fixed term. Your principal stays in a contract, and only you can take it out."
    >
      <Panel title="My positions" isFlush>
        <SignInFirst reason="Positions belong to your wallet. Products are visible without signing in.">
          {() => <MyPositions />}
        </SignInFirst>
      </Panel>
      <section aria-labelledby="earn-products" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="earn-products" className="text-base font-semibold">
            Products
          </h2>
          <div className="max-w-full overflow-x-auto">
            <Segmented label="Products by status" options={EARN_FILTERS} value={filter} onChange={setFilter} />
          </div>
        </div>
        <ProductGrid filter={filter} onFilter={setFilter} />
      </section>
    </Page>
  );
}
