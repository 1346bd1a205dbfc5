import { createRouter } from "@tanstack/react-router";
import { adminRoutes } from "../admin/routes.tsx";
import { earnRoutes } from "../earn/routes.tsx";
import { bdRoutes, joinRoutes, partnerRoutes } from "../partner/routes.tsx";
import { pointsRoutes } from "../points/routes.tsx";
import { portfolioRoutes } from "../portfolio/routes.tsx";
import { tradeRoutes } from "../trade/routes.tsx";
import { rootRoute } from "./root.tsx";

const routeTree = rootRoute.addChildren([
  ...tradeRoutes,
  ...portfolioRoutes,
  ...earnRoutes,
  ...pointsRoutes,
  ...partnerRoutes,
  ...joinRoutes,
  ...bdRoutes,
  ...adminRoutes,
]);

export const router = createRouter({
  routeTree,
  basepath: "/app",
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
