import type { ProductDetail, ProductStatus } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { staffApi } from "../../session/session.ts";
import { ADMIN } from "../frame/write.ts";

/** States move with the chain's blocks. */
const REFRESH_MS = 15_000;
/** The contract is asked for each product in sight. */
const SOLVENCY_REFRESH_MS = 60_000;

export const useProducts = (status: ProductStatus | undefined, page: number, page_size: number) =>
  useQuery({
    queryKey: [ADMIN, "earn", "products", status ?? "all", page, page_size],
    queryFn: ({ signal }) => staffApi.earn.products({ status, page, page_size }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS,
  });

export const useSolvency = ({ id }: Pick<ProductDetail, "id">) =>
  useQuery({
    queryKey: [ADMIN, "earn", "solvency", id],
    queryFn: ({ signal }) => staffApi.earn.solvency(id, { signal }),
    refetchInterval: SOLVENCY_REFRESH_MS,
  });
