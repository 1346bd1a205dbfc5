import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const partnerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/partner",
  component: lazyRouteComponent(() => import("./page.tsx"), "PartnerPage"),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/join",
  validateSearch: (search): { ref?: string } => (search["ref"] === undefined ? {} : { ref: String(search["ref"]) }),
  component: lazyRouteComponent(() => import("./join-page.tsx"), "JoinPage"),
});

const bdRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/bd",
  component: lazyRouteComponent(() => import("./bd-page.tsx"), "BdPage"),
});

export const partnerRoutes = [partnerRoute] as const;
export const joinRoutes = [joinRoute] as const;
export const bdRoutes = [bdRoute] as const;
