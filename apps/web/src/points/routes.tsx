import { createRoute, lazyRouteComponent as lazy } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const pointsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/points",
  component: lazy(() => import("./page.tsx"), "PointsPage"),
});

export const pointsRoutes = [pointsRoute] as const;
