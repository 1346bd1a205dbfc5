import type { ProductStatus } from "@bourse/api/client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Pager } from "../frame/pager.tsx";
import { STATUS_WORDS } from "./moves.ts";
import { ProductCard, WholeContract } from "./product-card.tsx";
import { NewProductDialog } from "./product-dialogs.tsx";
import { useProducts } from "./queries.ts";

const PER_PAGE = 10;

/** Fixed-term products from their terms to their end. */
export function EarnAdminPage() {
  const [status, setStatus] = useState<ProductStatus>();
  const [page, setPage] = useState(1);
  const [isCreating, setCreating] = useState(false);
  const query = useProducts(status, page, PER_PAGE);
  return (
    <Page
      title="Earn products"
      lead="Fixed-term savings. Time moves a product on by itself; what is decided here are its terms, its funding, and its end before time."
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden="true" /> New product
        </Button>
      }
    >
      <Field label="State" className="w-44">
        {(ids) => (
          <Select
            {...ids}
            value={status ?? ""}
            onChange={(event) => {
              setStatus(event.target.value === "" ? undefined : (event.target.value as ProductStatus));
              setPage(1);
            }}
          >
            <option value="">all</option>
            {Object.entries(STATUS_WORDS).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Async
        query={query}
        skeleton={<Skeleton rows={10} rowHeight={56} />}
        isEmpty={({ products }) => products.length === 0}
        empty={
          <Panel>
            <EmptyState
              title={status === undefined ? "There is no product yet" : "No product is in this state"}
              action={<Button onClick={() => setCreating(true)}>New product</Button>}
            >
              A product has a rate, a term and a quota. Savers subscribe in its window and get principal and interest
              back at maturity.
            </EmptyState>
          </Panel>
        }
      >
        {({ products, total }) => (
          <div className="flex flex-col gap-4">
            {products[0] !== undefined && <WholeContract product={products[0]} />}
            {products.map((product) => (
              <ProductCard key={product.id} product={product} />
            ))}
            {total > PER_PAGE && <Pager of="products" page={page} perPage={PER_PAGE} total={total} onPage={setPage} />}
          </div>
        )}
      </Async>
      {isCreating && <NewProductDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
