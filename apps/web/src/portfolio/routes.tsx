import { createRoute, lazyRouteComponent as lazy } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/portfolio",
  component: lazy(() => import("./page.tsx"), "PortfolioPage"),
});

const tabRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/portfolio/$tab",
  component: lazy(() => import("./page.tsx"), "PortfolioPage"),
});

export const portfolioRoutes = [overviewRoute, tabRoute] as const;
