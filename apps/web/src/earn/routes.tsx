import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const earnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/earn",
  component: lazyRouteComponent(() => import("./page.tsx"), "EarnPage"),
});

const productRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/earn/$productId",
  component: lazyRouteComponent(() => import("./product-page.tsx"), "EarnProductPage"),
});

export const earnRoutes = [earnRoute, productRoute] as const;
