import { createRoute, lazyRouteComponent as lazy, redirect } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";
import { lastSymbol } from "./last-symbol.ts";

const toLastMarket = () => redirect({ to: "/trade/$symbol", params: { symbol: lastSymbol.get() }, replace: true });

/** `/app/?ref=CODE` is how partners' links begin; everyone else goes to trading. */
const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: (search): { ref?: string } => (search["ref"] === undefined ? {} : { ref: String(search["ref"]) }),
  beforeLoad: ({ search }) => {
    if (search.ref !== undefined) throw redirect({ to: "/join", search: { ref: search.ref }, replace: true });
    throw toLastMarket();
  },
});

const tradeIndexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/trade",
  beforeLoad: () => {
    throw toLastMarket();
  },
});

const tradeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/trade/$symbol",
  component: lazy(() => import("./page.tsx"), "TradePage"),
});

export const tradeRoutes = [indexRoute, tradeIndexRoute, tradeRoute] as const;
