import { createRoute, lazyRouteComponent as lazy } from "@tanstack/react-router";
import { adminRoute } from "./frame/route.ts";

const parent = { getParentRoute: () => adminRoute } as const;
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** Only what was given: an absent filter leaves no trace in the address. */
function given<Name extends string>(search: Record<string, unknown>, ...names: Name[]): { [name in Name]?: string } {
  const found = names.flatMap((name) => {
    const text = textOf(search[name]);
    return text === undefined || text === "" ? [] : [[name, text] as const];
  });
  return Object.fromEntries(found) as { [name in Name]?: string };
}

const overview = [
  createRoute({ ...parent, path: "/", component: lazy(() => import("./dashboard/page.tsx"), "DashboardPage") }),
] as const;

const partners = [
  createRoute({ ...parent, path: "/bds", component: lazy(() => import("./partners/bds-page.tsx"), "BdsPage") }),
  createRoute({
    ...parent,
    path: "/kols",
    validateSearch: (search) => given(search, "bd", "find"),
    component: lazy(() => import("./partners/kols-page.tsx"), "KolsPage"),
  }),
  createRoute({ ...parent, path: "/tiers", component: lazy(() => import("./partners/tiers-page.tsx"), "TiersPage") }),
] as const;

const rebates = [
  createRoute({
    ...parent,
    path: "/settlement",
    validateSearch: (search) => given(search, "period"),
    component: lazy(() => import("./settlement/settlement-page.tsx"), "SettlementPage"),
  }),
  createRoute({
    ...parent,
    path: "/payouts",
    component: lazy(() => import("./settlement/batches-page.tsx"), "BatchesPage"),
  }),
  createRoute({
    ...parent,
    path: "/payouts/$batchId",
    component: lazy(() => import("./settlement/batch-page.tsx"), "BatchPage"),
  }),
  createRoute({
    ...parent,
    path: "/records",
    validateSearch: (search) => given(search, "period", "status"),
    component: lazy(() => import("./settlement/records-page.tsx"), "RecordsPage"),
  }),
] as const;

const programs = [
  createRoute({ ...parent, path: "/earn", component: lazy(() => import("./earn/page.tsx"), "EarnAdminPage") }),
  createRoute({ ...parent, path: "/seasons", component: lazy(() => import("./points/page.tsx"), "SeasonsAdminPage") }),
  createRoute({
    ...parent,
    path: "/bonus",
    validateSearch: (search) => given(search, "tab", "batch", "address"),
    component: lazy(() => import("./bonus/page.tsx"), "BonusAdminPage"),
  }),
  createRoute({ ...parent, path: "/risk", component: lazy(() => import("./bonus/risk-page.tsx"), "RiskPage") }),
] as const;

const operations = [
  createRoute({
    ...parent,
    path: "/switches",
    component: lazy(() => import("./operations/switches-page.tsx"), "SwitchesPage"),
  }),
  createRoute({
    ...parent,
    path: "/markets",
    component: lazy(() => import("./operations/markets-page.tsx"), "MarketsPage"),
  }),
  createRoute({
    ...parent,
    path: "/market-risk",
    component: lazy(() => import("./operations/market-risk-page.tsx"), "MarketRiskPage"),
  }),
  createRoute({
    ...parent,
    path: "/withdrawals",
    component: lazy(() => import("./operations/withdrawal-reviews-page.tsx"), "WithdrawalReviewsPage"),
  }),
  createRoute({
    ...parent,
    path: "/invariants",
    component: lazy(() => import("./operations/invariants-page.tsx"), "InvariantsPage"),
  }),
  createRoute({
    ...parent,
    path: "/audit",
    validateSearch: (search) => given(search, "action", "actor"),
    component: lazy(() => import("./operations/audit-page.tsx"), "AuditPage"),
  }),
  createRoute({ ...parent, path: "/jobs", component: lazy(() => import("./operations/jobs-page.tsx"), "JobsPage") }),
  createRoute({
    ...parent,
    path: "/health",
    component: lazy(() => import("./operations/health-page.tsx"), "HealthPage"),
  }),
  createRoute({
    ...parent,
    path: "/development",
    component: lazy(() => import("./operations/development-page.tsx"), "DevelopmentPage"),
  }),
] as const;

export const adminRoutes = [
  adminRoute.addChildren([...overview, ...partners, ...rebates, ...programs, ...operations]),
] as const;
