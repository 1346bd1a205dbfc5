import { createRoute, lazyRouteComponent as lazy } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

/** `record` opens the explanation of that record on every page of the portal. */
const readRecord = (search: Record<string, unknown>): { record?: string } =>
  typeof search["record"] === "string" ? { record: search["record"] } : {};

const partnerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/partner",
  validateSearch: readRecord,
  component: lazy(() => import("./page.tsx"), "PartnerPage"),
});

const parent = { getParentRoute: () => partnerRoute } as const;
const pages = [
  createRoute({ ...parent, path: "/", component: lazy(() => import("./overview.tsx"), "Overview") }),
  createRoute({ ...parent, path: "/codes", component: lazy(() => import("./codes.tsx"), "Codes") }),
  createRoute({ ...parent, path: "/downlines", component: lazy(() => import("./downlines.tsx"), "Downlines") }),
  createRoute({ ...parent, path: "/records", component: lazy(() => import("./records.tsx"), "Records") }),
  createRoute({ ...parent, path: "/payouts", component: lazy(() => import("./payouts.tsx"), "Payouts") }),
  createRoute({ ...parent, path: "/what-if", component: lazy(() => import("./what-if.tsx"), "WhatIf") }),
  createRoute({ ...parent, path: "/leaderboard", component: lazy(() => import("./leaderboard.tsx"), "Leaderboard") }),
] as const;

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/join",
  validateSearch: (search): { ref?: string } => (search["ref"] === undefined ? {} : { ref: String(search["ref"]) }),
  component: lazy(() => import("./join-page.tsx"), "JoinPage"),
});

const bdRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/bd",
  component: lazy(() => import("./bd-page.tsx"), "BdPage"),
});

export const partnerRoutes = [partnerRoute.addChildren(pages)] as const;
export const joinRoutes = [joinRoute] as const;
export const bdRoutes = [bdRoute] as const;
