import { SwitchesRequest, Switches as SwitchStates, WithdrawalSwitchRequest } from "@bourse/api";
import { admin } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import { staffActor } from "../kernel/http/callers.ts";
import type { Switches } from "./switches.ts";

const tags = ["Exchange administration"];

/** VLT-1: the kill switch, with a route of its own and among all switches. */
export function registerSwitchRoutes(app: App, switches: Switches): void {
  app.get(
    "/api/v1/admin/switches",
    {
      config: { access: admin, client: "exchangeAdmin.switches" },
      schema: { tags, summary: "The kill switches", response: { 200: SwitchStates } },
    },
    () => switches.read(),
  );

  app.put(
    "/api/v1/admin/switches",
    {
      config: { access: admin, client: "exchangeAdmin.setSwitches" },
      schema: { tags, summary: "Set the kill switches", body: SwitchesRequest, response: { 200: SwitchStates } },
    },
    (request) =>
      switches.setWithdrawalsPaused(request.body.withdrawals_paused, staffActor(request), request.body.reason),
  );

  app.put(
    "/api/v1/admin/switches/withdrawals",
    {
      config: { access: admin },
      schema: {
        tags,
        summary: "Pause or resume withdrawals",
        body: WithdrawalSwitchRequest,
        response: { 200: SwitchStates },
      },
    },
    (request) => switches.setWithdrawalsPaused(request.body.paused, staffActor(request), request.body.reason),
  );
}
