/** The SQL of products. */
import { type SelectQueryBuilder, sql } from "kysely";
import type { KernelTables } from "../kernel/database/tables.ts";
import type { ChainProduct } from "./mirror.ts";
import { loadChainProducts } from "./mirror-store.ts";
import type { ChainFacts, Facts, Status } from "./rules.ts";
import type { EarnDb, EarnTables, EarnTx, ProductRow } from "./tables.ts";
import { columnsOf, termsOf } from "./term-columns.ts";
import { areEqualTerms, type EarnTerms, onChain, settleTimeOf } from "./terms.ts";

/** A product and its state on chain. */
export interface Product {
  readonly id: string;
  readonly chainProductId: bigint | undefined;
  readonly name: string;
  readonly description: string | null;
  readonly terms: EarnTerms;
  readonly status: Status;
  readonly requestId: string | null;
  readonly chain: ChainProduct | undefined;
}

/** The facts that determine a product's state. */
export function factsOf({ terms, chain }: Product, now_s: number): Facts {
  const { subscribeStart: subscribeStart_s, subscribeEnd: subscribeEnd_s } = terms;
  const onChainNow: ChainFacts | undefined =
    chain === undefined ? undefined : { ...chain, hasOurTerms: areEqualTerms(onChain(terms), chain.terms) };
  return { now_s, subscribeStart_s, subscribeEnd_s, settleTime_s: settleTimeOf(terms), chain: onChainNow };
}

async function withChain(db: EarnDb, rows: readonly ProductRow[]): Promise<Product[]> {
  const ids = rows.flatMap((row) => (row.chain_product_id === null ? [] : [row.chain_product_id]));
  const chains = new Map((await loadChainProducts(db, ids)).map((chain) => [chain.chainProductId, chain]));
  return rows.map((row) => ({
    id: row.id,
    chainProductId: row.chain_product_id ?? undefined,
    name: row.name,
    description: row.description,
    terms: termsOf(row),
    status: row.status,
    requestId: row.request_id,
    chain: row.chain_product_id === null ? undefined : chains.get(row.chain_product_id),
  }));
}

export interface NewProduct {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly terms: EarnTerms;
  readonly requestId: string | null;
}

export async function insertProduct(tx: EarnTx, product: NewProduct, now: Date): Promise<void> {
  const { id, name, description, terms, requestId: request_id } = product;
  await tx
    .insertInto("earn_product")
    .values({
      id,
      name,
      description,
      ...columnsOf(terms),
      status: "created",
      request_id,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

type ProductQuery = SelectQueryBuilder<KernelTables & EarnTables, "earn_product", ProductRow>;

async function findOne(
  db: EarnDb,
  narrow: (query: ProductQuery) => ProductQuery,
  lock = false,
): Promise<Product | undefined> {
  const query = narrow(db.selectFrom("earn_product").selectAll().limit(1));
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? undefined : (await withChain(db, [row]))[0];
}

export const findProduct = (db: EarnDb, id: string) => findOne(db, (query) => query.where("id", "=", id));

export const findByChainId = (db: EarnDb, chainProductId: bigint) =>
  findOne(db, (query) => query.where("chain_product_id", "=", chainProductId));

export const findByRequest = (db: EarnDb, requestId: string) =>
  findOne(db, (query) => query.where("request_id", "=", requestId));

/** Locks the product until this transaction ends. */
export const lockProduct = (tx: EarnTx, id: string) => findOne(tx, (query) => query.where("id", "=", id), true);

/** A product of the same name and terms that is not on chain yet: the same request repeated. */
export const findUnregistered = (db: EarnDb, name: string, terms: EarnTerms) =>
  findOne(db, (query) => {
    let same = query.where("name", "=", name).where("status", "=", "created").where("chain_product_id", "is", null);
    for (const [column, value] of Object.entries(columnsOf(terms))) {
      same = same.where(sql.ref(column), "=", String(value));
    }
    return same;
  });

/** Products whose state can still change. */
export async function liveProducts(db: EarnDb): Promise<Product[]> {
  const live: Status[] = ["created", "subscribing", "active", "settled"];
  const query = db.selectFrom("earn_product").selectAll().where("status", "in", live);
  return await withChain(db, await query.orderBy("created_at").orderBy("id").execute());
}

/** Locks the products whose state on chain is about to change. */
export async function lockByChainIds(tx: EarnTx, chainProductIds: readonly bigint[]): Promise<Product[]> {
  const rows = await tx
    .selectFrom("earn_product")
    .selectAll()
    .where("chain_product_id", "=", sql<bigint>`any(${chainProductIds}::bigint[])`)
    .orderBy("id")
    .forUpdate()
    .execute();
  return await withChain(tx, rows);
}

export interface ProductPage {
  readonly status: Status | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Newest first. Only admins see products that are not on chain yet. */
export async function listProducts(db: EarnDb, { status, offset, limit }: ProductPage) {
  let query = db.selectFrom("earn_product").where("chain_product_id", "is not", null);
  if (status !== undefined) query = query.where("status", "=", status);
  const rows = await query
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  const { total } = await query.select(({ fn }) => fn.countAll<bigint>().as("total")).executeTakeFirstOrThrow();
  return { products: await withChain(db, rows), total: Number(total) };
}

/** Changes the state of a product, if it is still the one on which the change was decided. */
export async function moveProduct(
  db: EarnDb,
  { id, from, to, now }: { id: string; from: Status; to: Status; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("earn_product")
    .set({ status: to, updated_at: now })
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface ProductChange {
  readonly name?: string;
  readonly description?: string | null;
  readonly terms?: EarnTerms;
}

export async function changeProduct(tx: EarnTx, id: string, change: ProductChange, now: Date): Promise<void> {
  const { name, description, terms } = change;
  await tx
    .updateTable("earn_product")
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(terms === undefined ? {} : columnsOf(terms)),
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

/** Releases the request id of a product that never reached the chain, so that it can be used again. */
export async function dropProduct(tx: EarnTx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable("earn_product")
    .set({ status: "cancelled", request_id: null, updated_at: now })
    .where("id", "=", id)
    .where("status", "=", "created")
    .execute();
}

/** Sets the product's number on chain; undefined removes it. */
export async function linkProduct(tx: EarnTx, id: string, chainProductId: bigint | undefined): Promise<void> {
  await tx
    .updateTable("earn_product")
    .set({ chain_product_id: chainProductId ?? null })
    .where("id", "=", id)
    .execute();
}
