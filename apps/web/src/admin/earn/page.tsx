import type { ProductStatus } from "@bourse/api/client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Pager } from "../frame/pager.tsx";
import { STATUS_OPTIONS } from "./moves.ts";
import { ProductCard, WholeContract } from "./product-card.tsx";
import { NewProductDialog } from "./product-dialogs.tsx";
import { useProducts } from "./queries.ts";

const PER_PAGE = 10;

/** Fixed-term products and what can be done with them. */
export function EarnAdminPage() {
  const [status, setStatus] = useState<ProductStatus>();
  const [page, setPage] = useState(1);
  const [isCreating, setCreating] = useState(false);
  const query = useProducts(status, page, PER_PAGE);
  return (
    <Page
      title="Earn products"
      lead="Fixed-term savings. A product's status follows its times. Here you set its parameters, fund it, and cancel it."
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden="true" /> New product
        </Button>
      }
    >
      <SelectField
        label="Status"
        className="w-44"
        options={STATUS_OPTIONS}
        value={status ?? ""}
        onChange={(next) => {
          setStatus(next === "" ? undefined : next);
          setPage(1);
        }}
      />
      <Async
        query={query}
        rows={10}
        rowHeight={56}
        isEmpty={({ products }) => products.length === 0}
        empty={
          <Panel>
            <EmptyState
              title={status === undefined ? "There is no product yet" : "No product has this status"}
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
