import type { ProductDetail, ProductStatus } from "@bourse/api/client";
import { staffApi } from "../../session/session.ts";
import { useAdmin } from "../frame/write.ts";

/** States change with the chain's blocks. */
const REFRESH_MS = 15_000;
/** The contract is read for each visible product. */
const SOLVENCY_REFRESH_MS = 60_000;

export const useProducts = (status: ProductStatus | undefined, page: number, page_size: number) =>
  useAdmin(
    ["earn", "products", status ?? "all", page, page_size],
    (call) => staffApi.earn.products({ status, page, page_size }, call),
    { placeholderData: (before) => before, refetchInterval: REFRESH_MS },
  );

export const useSolvency = ({ id }: Pick<ProductDetail, "id">) =>
  useAdmin(["earn", "solvency", id], (call) => staffApi.earn.solvency(id, call), {
    refetchInterval: SOLVENCY_REFRESH_MS,
  });
