import type { ProductStatus } from "@bourse/api/client";
import { Button } from "../kit/button.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { ProductCard } from "./product-card.tsx";
import { useProducts } from "./queries.ts";
import { inOrder } from "./words.ts";

export type EarnFilter = "all" | Exclude<ProductStatus, "ended">;

export const EARN_FILTERS: readonly { readonly value: EarnFilter; readonly label: string }[] = [
  { value: "all", label: "All" },
  { value: "subscribing", label: "Open" },
  { value: "created", label: "Soon" },
  { value: "active", label: "Running" },
  { value: "settled", label: "Settled" },
  { value: "cancelled", label: "Cancelled" },
];

const CARD_HEIGHT = 372;

const waiting = (
  <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
    {["first", "second", "third"].map((card) => (
      <div key={card} className="rounded-lg bg-panel p-4">
        <Skeleton rows={8} rowHeight={(CARD_HEIGHT - 32) / 8} label="Loading products" />
      </div>
    ))}
  </div>
);

interface ProductGridProps {
  readonly filter: EarnFilter;
  readonly onFilter: (filter: EarnFilter) => void;
}

export function ProductGrid({ filter, onFilter }: ProductGridProps) {
  const query = useProducts(filter === "all" ? undefined : filter);
  const none = (
    <EmptyState
      className="rounded-lg bg-panel"
      title={filter === "all" ? "There are no products yet" : "No product has this status"}
      {...(filter === "all" ? {} : { action: <Button onClick={() => onFilter("all")}>Show all products</Button> })}
    >
      {filter === "all" ? "New products are listed here as soon as they are announced." : undefined}
    </EmptyState>
  );
  return (
    <Async query={query} skeleton={waiting} isEmpty={({ products }) => products.length === 0} empty={none}>
      {({ products }) => (
        <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
          {inOrder(products).map((product) => (
            <li key={product.id} className="flex min-w-0">
              <ProductCard product={product} />
            </li>
          ))}
        </ul>
      )}
    </Async>
  );
}
