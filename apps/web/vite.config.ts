import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const SERVER = process.env["BOURSE_URL"] ?? "http://127.0.0.1:8080";
const SERVER_PATHS = ["/api", "/fapi", "/account", "/orders", "/positions", "/unified", "/funding-rates", "/external"];
const MORE_PATHS = ["/withdraw", "/earn", "/referral", "/rpc", "/readyz", "/healthz", "/docs", "/openapi.json"];

export default defineConfig({
  base: "/app/",
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2022",
    sourcemap: false,
    // The policy of the page allows data: for pictures only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `vite` beside a running server: the page with hot reload, everything else from there.
  server: {
    proxy: {
      ...Object.fromEntries(
        [...SERVER_PATHS, ...MORE_PATHS].map((path) => [path, { target: SERVER, changeOrigin: true }]),
      ),
      // The server takes pages of its own host only.
      "/ws": { target: SERVER, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
});
