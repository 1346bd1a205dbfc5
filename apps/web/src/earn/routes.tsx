import { createRoute, lazyRouteComponent as lazy } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const earnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/earn",
  component: lazy(() => import("./page.tsx"), "EarnPage"),
});

const productRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/earn/$productId",
  component: lazy(() => import("./product-page.tsx"), "EarnProductPage"),
});

export const earnRoutes = [earnRoute, productRoute] as const;
