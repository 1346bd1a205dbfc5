export { keepClock, restoreClock } from "./clock-state.ts";
export { type Demo, startDemo } from "./demo/demo.ts";
export { EarnDemo } from "./demo/savers.ts";
export { Faucet } from "./faucet.ts";
export { registerFaucetRoute } from "./faucet-routes.ts";
export { bringToPresent } from "./history/create.ts";
export { historyOffset_ms } from "./history/offset.ts";
export { registerPersonasRoute } from "./personas-routes.ts";
export { registerDevRoutes } from "./routes.ts";
