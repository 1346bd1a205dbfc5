import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

/** `record` opens how that record came about, on whatever page of the portal one is. */
const readRecord = (search: Record<string, unknown>): { record?: string } =>
  typeof search["record"] === "string" ? { record: search["record"] } : {};

const partnerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/partner",
  validateSearch: readRecord,
  component: lazyRouteComponent(() => import("./page.tsx"), "PartnerPage"),
});

const overviewRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./overview.tsx"), "Overview"),
});
const codesRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/codes",
  component: lazyRouteComponent(() => import("./codes.tsx"), "Codes"),
});
const downlinesRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/downlines",
  component: lazyRouteComponent(() => import("./downlines.tsx"), "Downlines"),
});
const recordsRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/records",
  component: lazyRouteComponent(() => import("./records.tsx"), "Records"),
});
const payoutsRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/payouts",
  component: lazyRouteComponent(() => import("./payouts.tsx"), "Payouts"),
});
const whatIfRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/what-if",
  component: lazyRouteComponent(() => import("./what-if.tsx"), "WhatIf"),
});
const leaderboardRoute = createRoute({
  getParentRoute: () => partnerRoute,
  path: "/leaderboard",
  component: lazyRouteComponent(() => import("./leaderboard.tsx"), "Leaderboard"),
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

export const partnerRoutes = [
  partnerRoute.addChildren([
    overviewRoute,
    codesRoute,
    downlinesRoute,
    recordsRoute,
    payoutsRoute,
    whatIfRoute,
    leaderboardRoute,
  ]),
] as const;
export const joinRoutes = [joinRoute] as const;
export const bdRoutes = [bdRoute] as const;
