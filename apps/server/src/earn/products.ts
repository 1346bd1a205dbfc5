import type { ProductDetail, ProductList, ProductSolvency } from "@bourse/api";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../kernel/log.ts";
import { isUuid } from "../kernel/uuid.ts";
import type { EarnContract, Solvency } from "./contract.ts";
import { interestOwedInAll } from "./mirror-store.ts";
import { findByChainId, findProduct, listProducts, type Product } from "./product-store.ts";
import { productDetail } from "./product-view.ts";
import { refusals } from "./refusals.ts";
import { reservedAmounts } from "./reservation-store.ts";
import type { Status } from "./rules.ts";
import { earnDb } from "./tables.ts";

export interface ProductsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Log;
  readonly contract: EarnContract;
}

const MAX_ROWS = 100;
const DEFAULT_ROWS = 20;
/** Numbers on chain begin at 1; a number with more digits than a bigint column holds does not exist. */
const CHAIN_ID = /^[1-9]\d{0,17}$/;

/** WIRE-2: a page size above the maximum is reduced to it; the schema refuses one below 1. */
export const readPage = ({ page = 1, page_size = DEFAULT_ROWS }: { page?: number; page_size?: number }) => {
  const limit = Math.min(page_size, MAX_ROWS);
  return { page, page_size: limit, limit, offset: (page - 1) * limit };
};

/** The public reads of products. */
export class Products {
  readonly #options: ProductsOptions;
  readonly #asked = new Map<bigint, Promise<Solvency>>();

  constructor(options: ProductsOptions) {
    this.#options = options;
  }

  async list(query: { status?: Status; page?: number; page_size?: number }): Promise<ProductList> {
    const { page, page_size, limit, offset } = readPage(query);
    const found = await listProducts(this.#db, { status: query.status, limit, offset });
    return { products: await this.#details(found.products), total: found.total, page, page_size };
  }

  async read(id: string): Promise<ProductDetail> {
    return (await this.#details([await this.#find(id)]))[0]!;
  }

  /** ERN-10: the contract's balance and debts, read from the chain at one block. */
  async solvency(id: string): Promise<ProductSolvency> {
    const product = await this.#find(id);
    const figures = await this.#askChain(product.chainProductId!);
    const { principal, interestOwed, funded } = figures.product;
    const shortfall = interestOwed > funded ? interestOwed - funded : 0n;
    const held = figures.totalPrincipal + figures.totalFunded;
    return {
      product_id: product.id,
      chain_product_id: Number(product.chainProductId),
      block_number: Number(figures.blockNumber),
      principal_owed: principal.toString(),
      interest_owed: interestOwed.toString(),
      funded_amount: funded.toString(),
      shortfall: shortfall.toString(),
      is_funded: shortfall === 0n,
      total: {
        contract_balance: figures.balance.toString(),
        principal_owed: figures.totalPrincipal.toString(),
        interest_owed: (await interestOwedInAll(this.#db)).toString(),
        funded_amount: figures.totalFunded.toString(),
        is_solvent: figures.balance >= held,
      },
    };
  }

  get #db() {
    return earnDb(this.#options.database);
  }

  async #find(id: string): Promise<Product> {
    const product = isUuid(id)
      ? await findProduct(this.#db, id)
      : CHAIN_ID.test(id)
        ? await findByChainId(this.#db, BigInt(id))
        : undefined;
    if (product?.chainProductId === undefined) throw refusals.productNotFound();
    return product;
  }

  async #details(products: readonly Product[]): Promise<ProductDetail[]> {
    const now_ms = this.#options.clock.now();
    const ids = products.map(({ id }) => id);
    const reserved = await reservedAmounts(this.#db, ids, Math.floor(now_ms / 1_000));
    return products.map((product) => productDetail(product, reserved.get(product.id) ?? 0n, now_ms));
  }

  /** The route is public, so concurrent calls share one request to the chain. */
  async #askChain(chainProductId: bigint): Promise<Solvency> {
    const { contract, log } = this.#options;
    const asked = this.#asked.get(chainProductId) ?? contract.solvency(chainProductId);
    this.#asked.set(chainProductId, asked);
    try {
      return await asked;
    } catch (error) {
      log.warn({ err: error }, "the contract's figures could not be read");
      throw refusals.chainError();
    } finally {
      this.#asked.delete(chainProductId);
    }
  }
}
