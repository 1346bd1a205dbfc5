import {
  ProductCancelRequest,
  ProductChangeRequest,
  ProductDetail,
  ProductFundRequest,
  ProductPath,
  ProductRequest,
} from "@bourse/api";
import type { FastifyRequest } from "fastify";
import { forbidden } from "../kernel/errors.ts";
import { admin } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { Actor, ProductAdmin } from "./product-admin.ts";

const tags = ["Earn"];
const BASE = "/api/v1/earn/admin/products";
const response = { 200: ProductDetail };

/** The actor for the audit log. */
function actorOf({ principal, address, id }: FastifyRequest): Actor {
  if (principal?.kind !== "staff") throw forbidden("this is open to admins only");
  return { actor: principal.id, role: principal.role, ip: address, request_id: id };
}

/** ERN-10, WIRE-4. */
export function registerEarnAdminRoutes(app: App, products: ProductAdmin): void {
  app.post(
    BASE,
    {
      config: { access: admin, client: "earnAdmin.createProduct" },
      schema: {
        tags,
        summary: "Create a product",
        description:
          "Registers it on chain and answers once it is there. Repeated with the same `request_id`, or repeated as it " +
          "is before it got to the chain, it carries on with the same product.",
        body: ProductRequest,
        response,
      },
    },
    (request) => products.create(request.body, actorOf(request)),
  );

  app.put(
    `${BASE}/:id`,
    {
      config: { access: admin, client: "earnAdmin.changeProduct" },
      schema: {
        tags,
        summary: "Change a product",
        description: "Name and description at any time, other parameters until the subscription starts.",
        params: ProductPath,
        body: ProductChangeRequest,
        response,
      },
    },
    (request) => products.update(request.params.id, request.body, actorOf(request)),
  );

  app.post(
    `${BASE}/:id/cancel`,
    {
      config: { access: admin, client: "earnAdmin.cancelProduct" },
      schema: {
        tags,
        summary: "Cancel a product that is not settled",
        description: "Holders can take their principal back by `emergencyClaim`. Repeating the call changes nothing.",
        params: ProductPath,
        body: ProductCancelRequest,
        response,
      },
    },
    (request) => products.cancel(request.params.id, request.body, actorOf(request)),
  );

  app.post(
    `${BASE}/:id/fund`,
    {
      config: { access: admin, client: "earnAdmin.fundProduct" },
      schema: {
        tags,
        summary: "Fund a product's interest",
        description:
          "From the operator's wallet. On the embedded chain the tokens are minted. A repeated `request_id` pays once.",
        params: ProductPath,
        body: ProductFundRequest,
        response,
      },
    },
    (request) => products.fund(request.params.id, request.body, actorOf(request)),
  );
}
