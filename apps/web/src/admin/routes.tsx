import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/root.tsx";

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admin",
  component: lazyRouteComponent(() => import("./page.tsx"), "AdminPage"),
});

export const adminRoutes = [adminRoute] as const;
