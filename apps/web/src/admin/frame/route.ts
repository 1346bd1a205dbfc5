import { createRoute, lazyRouteComponent as lazy } from "@tanstack/react-router";
import { rootRoute } from "../../app/root.tsx";

/** The parent of every page of the console. */
export const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admin",
  component: lazy(() => import("../page.tsx"), "AdminPage"),
});
