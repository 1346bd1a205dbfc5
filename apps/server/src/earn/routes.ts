import {
  EarnDomainReply,
  EarnSubscription,
  EarnSubscriptionList,
  EarnSubscriptionListQuery,
  EarnSubscriptionPath,
  PreparedSubscription,
  PrepareRequest,
  ProductDetail,
  ProductList,
  ProductListQuery,
  ProductPath,
  ProductSolvency,
} from "@bourse/api";
import { eip712DomainType, subscribeTypes } from "@bourse/contracts";
import type { FastifyRequest } from "fastify";
import type { Address } from "viem";
import { forbidden } from "../kernel/errors.ts";
import { anyone, wallet } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { Prepare } from "./prepare.ts";
import type { Products } from "./products.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { VoucherSigner } from "./voucher-signer.ts";

const tags = ["Earn"];

export interface EarnRoutesOptions {
  readonly products: Products;
  readonly prepare: Prepare;
  readonly subscriptions: Subscriptions;
  readonly signer: VoucherSigner;
}

function walletOf({ principal }: FastifyRequest): Address {
  if (principal?.kind !== "wallet") throw forbidden("this is open to wallets only");
  return principal.address as Address;
}

/** Interface 4.3 and ERN-10. Paths carry no version (interface 9). */
export function registerEarnRoutes(app: App, options: EarnRoutesOptions): void {
  registerProductRoutes(app, options);
  registerWalletRoutes(app, options);
}

function registerProductRoutes(app: App, { products, signer }: EarnRoutesOptions): void {
  const domain: EarnDomainReply = {
    types: { EIP712Domain: [...eip712DomainType], Subscribe: [...subscribeTypes.Subscribe] },
    primaryType: "Subscribe",
    domain: { ...signer.domain },
  };

  app.get(
    "/earn/domain",
    {
      config: { access: anyone, client: "earn.domain" },
      schema: {
        tags,
        summary: "The EIP-712 domain and types of vouchers",
        description: "Read chainId and verifyingContract from here; contracts may be redeployed.",
        response: { 200: EarnDomainReply },
      },
    },
    () => domain,
  );

  app.get(
    "/earn/products",
    {
      config: { access: anyone, client: "earn.products" },
      schema: {
        tags,
        summary: "Products, newest first",
        querystring: ProductListQuery,
        response: { 200: ProductList },
      },
    },
    ({ query }) => products.list(query),
  );

  app.get(
    "/earn/products/:id",
    {
      config: { access: anyone, client: "earn.product" },
      schema: { tags, summary: "One product", params: ProductPath, response: { 200: ProductDetail } },
    },
    ({ params }) => products.read(params.id),
  );

  app.get(
    "/earn/products/:id/solvency",
    {
      config: { access: anyone, client: "earn.solvency" },
      schema: {
        tags,
        summary: "The contract's balance and liabilities",
        description: "Read from the chain at one block, for the product and for all products together.",
        params: ProductPath,
        response: { 200: ProductSolvency },
      },
    },
    ({ params }) => products.solvency(params.id),
  );
}

function registerWalletRoutes(app: App, { prepare, subscriptions }: EarnRoutesOptions): void {
  app.post(
    "/earn/subscribe/prepare",
    {
      config: { access: wallet, client: "earn.prepare(product_id, amount)" },
      // Before the body is looked at: nothing in it would change the answer.
      preValidation: async () => prepare.assertOpen(),
      schema: {
        tags,
        summary: "Get a voucher for a subscription",
        description:
          "Reserves the amount and signs a voucher that is good for 30 minutes. Then approve the contract for `amount` " +
          "and call `subscribe(chain_product_id, amount, deadline, signature)` on it. A new voucher takes the place of " +
          "the reservation of the last one.",
        body: PrepareRequest,
        response: { 200: PreparedSubscription },
      },
    },
    (request) => prepare.prepare(walletOf(request), request.body.product_id, request.body.amount),
  );

  app.get(
    "/earn/subscriptions",
    {
      config: { access: wallet, client: "earn.subscriptions" },
      schema: {
        tags,
        summary: "Own subscriptions, newest first",
        querystring: EarnSubscriptionListQuery,
        response: { 200: EarnSubscriptionList },
      },
    },
    (request) => subscriptions.list(walletOf(request), request.query),
  );

  app.get(
    "/earn/subscriptions/:id",
    {
      config: { access: wallet, client: "earn.subscription" },
      schema: {
        tags,
        summary: "One own subscription",
        params: EarnSubscriptionPath,
        response: { 200: EarnSubscription },
      },
    },
    (request) => subscriptions.read(walletOf(request), request.params.id),
  );
}
