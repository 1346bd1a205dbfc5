import type {
  EarnDomainReply,
  EarnSubscription,
  EarnSubscriptionList,
  EarnSubscriptionListQuery,
  PreparedSubscription,
  ProductCancelRequest,
  ProductChangeRequest,
  ProductDetail,
  ProductFundRequest,
  ProductList,
  ProductListQuery,
  ProductRequest,
  ProductSolvency,
} from "../earn.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

/** Products are named by UUID or by their number on chain. */
export const earnClient = ({ get, send }: Call) => ({
  domain: (options?: ReadOptions) => get<EarnDomainReply>("/earn/domain", {}, options),
  products: (query: Given<ProductListQuery> = {}, options?: ReadOptions) =>
    get<ProductList>("/earn/products", query, options),
  product: (id: string | number, options?: ReadOptions) =>
    get<ProductDetail>(`/earn/products/${segment(id)}`, {}, options),
  solvency: (id: string | number, options?: ReadOptions) =>
    get<ProductSolvency>(`/earn/products/${segment(id)}/solvency`, {}, options),
  /** A voucher for the contract's `subscribe`; the amount is in tokens. */
  prepare: (product_id: string, amount: string) =>
    send<PreparedSubscription>("POST", "/earn/subscribe/prepare", { product_id, amount }),
  subscriptions: (query: Given<EarnSubscriptionListQuery> = {}, options?: ReadOptions) =>
    get<EarnSubscriptionList>("/earn/subscriptions", query, options),
  subscription: (id: string, options?: ReadOptions) =>
    get<EarnSubscription>(`/earn/subscriptions/${segment(id)}`, {}, options),
});

const ADMIN = "/api/v1/earn/admin/products";

export const earnAdminClient = ({ send }: Call) => ({
  createProduct: (request: Given<ProductRequest>) => send<ProductDetail>("POST", ADMIN, request),
  changeProduct: (id: string | number, request: Given<ProductChangeRequest>) =>
    send<ProductDetail>("PUT", `${ADMIN}/${segment(id)}`, request),
  cancelProduct: (id: string | number, request: Given<ProductCancelRequest> = {}) =>
    send<ProductDetail>("POST", `${ADMIN}/${segment(id)}/cancel`, request),
  fundProduct: (id: string | number, request: Given<ProductFundRequest>) =>
    send<ProductDetail>("POST", `${ADMIN}/${segment(id)}/fund`, request),
});
