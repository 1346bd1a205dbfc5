import "./styles/app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyAppearance } from "./app/appearance.ts";
import { queryClient } from "./app/query-client.ts";
import { router } from "./app/router.tsx";
import { alignClock } from "./lib/server-time.ts";
import { api } from "./session/session.ts";
import { discoverWallets } from "./session/wallets.ts";

const CLOCK_REFRESH_MS = 60_000;

/** The platform's clock decides what is over; where it cannot be read, this browser's has to do. */
function keepClockAligned(): void {
  const align = () => void alignClock(() => api.market.serverTime()).catch(() => undefined);
  align();
  setInterval(align, CLOCK_REFRESH_MS);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && align());
}

const RELOAD_PAUSE_MS = 30_000;

/** The server has a newer build, and the requested part of the old build is gone. */
function reloadWhenOutdated(): void {
  window.addEventListener("vite:preloadError", () => {
    const last = Number(sessionStorage.getItem("bourse.reloaded") ?? 0);
    // A part that is missing again right after a reload is not helped by another.
    if (Date.now() - last < RELOAD_PAUSE_MS) return;
    sessionStorage.setItem("bourse.reloaded", String(Date.now()));
    location.reload();
  });
}

reloadWhenOutdated();
applyAppearance();
discoverWallets();
keepClockAligned();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the app");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
