import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const portfolioRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/portfolio",
  component: lazyRouteComponent(() => import("./page.tsx"), "PortfolioPage"),
});

export const portfolioRoutes = [portfolioRoute] as const;
