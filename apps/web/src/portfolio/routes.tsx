import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/portfolio",
  component: lazyRouteComponent(() => import("./page.tsx"), "PortfolioPage"),
});

const tabRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/portfolio/$tab",
  component: lazyRouteComponent(() => import("./page.tsx"), "PortfolioPage"),
});

export const portfolioRoutes = [overviewRoute, tabRoute] as const;
