import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const earnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/earn",
  component: lazyRouteComponent(() => import("./page.tsx"), "EarnPage"),
});

export const earnRoutes = [earnRoute] as const;
