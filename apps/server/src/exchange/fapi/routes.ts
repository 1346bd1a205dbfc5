import { DualSide, fapiErrors, MultiAssets, ServerTime, Success, signedParameters } from "@bourse/api";
import { Type } from "typebox";
import type { Clock } from "../../kernel/clock.ts";
import { FapiError } from "../../kernel/errors.ts";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";

const tags = ["Futures"];
const success = { code: 200, msg: "success" } as const;

/** The exchange-style endpoints that need no engine: liveness, time, and the modes this exchange does not have. */
export function registerFapiRoutes(app: App, { clock }: { clock: Clock }): void {
  app.get(
    "/fapi/v1/ping",
    { schema: { tags, summary: "Test connectivity", response: { 200: Type.Object({}) } } },
    () => ({}),
  );

  app.get("/fapi/v1/time", { schema: { tags, summary: "Server time", response: { 200: ServerTime } } }, () => ({
    serverTime: clock.now(),
  }));

  app.get(
    "/fapi/v1/positionSide/dual",
    {
      schema: {
        tags,
        summary: "Position mode",
        querystring: Type.Object(signedParameters),
        response: { 200: DualSide },
      },
    },
    () => ({ dualSidePosition: false }),
  );

  app.post(
    "/fapi/v1/positionSide/dual",
    {
      schema: {
        tags,
        summary: "Choose the position mode",
        description: "Positions are one-way: `false` succeeds, `true` is refused with -4059.",
        querystring: Type.Object({ dualSidePosition: Type.Boolean(), ...signedParameters }),
        response: { 200: Success },
      },
    },
    (request) => {
      if (request.fapi.requiredFlag("dualSidePosition")) throw fapiRefusal("HEDGE_MODE");
      return success;
    },
  );

  app.get(
    "/fapi/v1/multiAssetsMargin",
    {
      schema: {
        tags,
        summary: "Multi-assets mode",
        querystring: Type.Object(signedParameters),
        response: { 200: MultiAssets },
      },
    },
    () => ({ multiAssetsMargin: false }),
  );

  app.post(
    "/fapi/v1/multiAssetsMargin",
    {
      schema: {
        tags,
        summary: "Choose the multi-assets mode",
        description: "Margin is USDT alone: `false` succeeds, `true` is refused with -1020.",
        querystring: Type.Object({ multiAssetsMargin: Type.Boolean(), ...signedParameters }),
        response: { 200: Success },
      },
    },
    (request) => {
      if (request.fapi.requiredFlag("multiAssetsMargin")) {
        throw new FapiError(
          400,
          fapiErrors.UNSUPPORTED.code,
          "Multi-assets mode is not supported: margin is USDT alone.",
        );
      }
      return success;
    },
  );
}
