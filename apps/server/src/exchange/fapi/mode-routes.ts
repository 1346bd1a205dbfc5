import { DualSide, FeeBurn, fapiErrors, MultiAssets, ServerTime, Success } from "@bourse/api";
import { Type } from "typebox";
import { FapiError } from "../../kernel/errors.ts";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import { anyone, reading, trading } from "./access.ts";
import { type FapiContext, operation, publicRoute, signedRoute } from "./context.ts";

const success = { code: 200, msg: "success" } as const;

/** 400, unlike a path that does not exist: the request is understood. */
const unsupported = (msg: string) => new FapiError(400, fapiErrors.UNSUPPORTED.code, msg);

export const pingOperation = operation(
  publicRoute({ access: anyone(1), summary: "Test connectivity", reply: Type.Object({}) }),
  () => ({}),
);

export const timeOperation = ({ clock }: FapiContext) =>
  operation(
    publicRoute({ access: anyone(1), client: "market.serverTime", summary: "Server time", reply: ServerTime }),
    () => ({ serverTime: clock.now() }),
  );

/** Routes that do not need the engine: liveness, time, and modes that this exchange does not support. */
export function registerModeRoutes(app: App, context: FapiContext): void {
  app.get("/fapi/v1/ping", pingOperation.route, pingOperation.handle);
  const time = timeOperation(context);
  app.get("/fapi/v1/time", time.route, time.handle);

  app.get(
    "/fapi/v1/positionSide/dual",
    signedRoute({ access: reading(30), summary: "Position mode", reply: DualSide }),
    () => ({
      dualSidePosition: false,
    }),
  );

  app.post(
    "/fapi/v1/positionSide/dual",
    signedRoute({
      access: trading(1),
      summary: "Set the position mode",
      description: "Positions are one-way: `false` succeeds, `true` is refused with -4059.",
      parameters: { dualSidePosition: Type.Boolean() },
      reply: Success,
    }),
    (request) => {
      if (request.fapi.requiredFlag("dualSidePosition")) throw fapiRefusal("HEDGE_MODE");
      return success;
    },
  );

  app.get(
    "/fapi/v1/multiAssetsMargin",
    signedRoute({ access: reading(30), summary: "Multi-assets mode", reply: MultiAssets }),
    () => ({
      multiAssetsMargin: false,
    }),
  );

  app.post(
    "/fapi/v1/multiAssetsMargin",
    signedRoute({
      access: trading(1),
      summary: "Set the multi-assets mode",
      description: "Margin is USDT only: `false` succeeds, `true` is refused with -1020.",
      parameters: { multiAssetsMargin: Type.Boolean() },
      reply: Success,
    }),
    (request) => {
      if (request.fapi.requiredFlag("multiAssetsMargin")) {
        throw unsupported("Multi-assets mode is not supported: margin is USDT alone.");
      }
      return success;
    },
  );

  app.get(
    "/fapi/v1/feeBurn",
    signedRoute({ access: reading(30), summary: "Fees in another coin", reply: FeeBurn }),
    () => ({ feeBurn: false }),
  );

  app.post(
    "/fapi/v1/feeBurn",
    signedRoute({
      access: trading(1),
      summary: "Pay fees in another coin",
      description: "Fees are USDT only: `false` succeeds, `true` is refused with -1020.",
      parameters: { feeBurn: Type.Boolean() },
      reply: Success,
    }),
    (request) => {
      if (request.fapi.requiredFlag("feeBurn")) {
        throw unsupported("Fees cannot be paid in another coin: they are USDT alone.");
      }
      return success;
    },
  );
}
