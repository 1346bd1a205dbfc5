import {
  ClaimedRebate,
  ErrorBody,
  ReferralAddressPath,
  ReferralOperatorStatus,
  ReferralTierReply,
  ReferralTierRequest,
  TraderReferralInfo,
  UserRebateInfo,
} from "@bourse/api";
import type { FastifyRequest } from "fastify";
import { zeroAddress } from "viem";
import { type Address, parseAddress } from "../kernel/address.ts";
import { ApiError, forbidden } from "../kernel/errors.ts";
import { admin, anyone } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { ReferralReads } from "./reads.ts";
import type { TierAdmin, TierSetter } from "./tier-admin.ts";

export interface ReferralRoutesOptions {
  readonly reads: ReferralReads;
  readonly tiers: Pick<TierAdmin, "setTier">;
}

const tags = ["Referral"];
const FRESHNESS = "Read from the contract, at most 15 seconds old. 500 CHAIN_ERROR while the chain cannot be asked.";

function readAddress(text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw new ApiError(400, "INVALID_ADDRESS", "the address must be 0x and 40 hex digits, with a right checksum if any");
}

/** The contract has no tier for the zero address: nobody can own a code there. */
function readAffiliate(text: string): Address {
  const address = readAddress(text);
  if (address === zeroAddress) throw new ApiError(400, "INVALID_ADDRESS", "the zero address can be no affiliate");
  return address;
}

function setterOf({ principal, address, id }: FastifyRequest, reason: string | undefined): TierSetter {
  if (principal?.kind !== "staff") throw forbidden("this is open to admins only");
  return { actor: principal.id, role: principal.role, ip: address, request_id: id, reason };
}

export function registerReferralRoutes(app: App, { reads, tiers }: ReferralRoutesOptions): void {
  registerAddressQueries(app, reads);

  app.get(
    "/referral/on-chain/operator-status",
    {
      config: { access: anyone, client: "referral.operatorStatus" },
      schema: {
        tags,
        summary: "Whether the platform is an operator of the referral contract",
        description: FRESHNESS,
        response: { 200: ReferralOperatorStatus, 500: ErrorBody },
      },
    },
    () => reads.operatorStatus(),
  );

  app.put(
    "/api/v1/referral/admin/tier",
    {
      config: { access: admin, client: "referralAdmin.setTier" },
      schema: {
        tags,
        summary: "Set an affiliate's tier on the chain",
        description:
          "Sent by the operator; the reply comes after the receipt. The discount of the affiliate's referees follows with " +
          "the next look at the chain's events. 500 CHAIN_ERROR says whether nothing was sent or the outcome is open.",
        body: ReferralTierRequest,
        response: { 200: ReferralTierReply, 500: ErrorBody },
      },
    },
    (request) => {
      const { address, tier, reason } = request.body;
      return tiers.setTier(readAffiliate(address), tier, setterOf(request, reason));
    },
  );
}

/** Interface 4.4: what is asked of one address. */
function registerAddressQueries(app: App, reads: ReferralReads): void {
  const params = ReferralAddressPath;

  app.get(
    "/referral/on-chain/user-rebate/:address",
    {
      config: { access: anyone, client: "referral.userRebate" },
      schema: {
        tags,
        summary: "A user's rebates, code and tier",
        description: FRESHNESS,
        params,
        response: { 200: UserRebateInfo, 500: ErrorBody },
      },
    },
    ({ params: { address } }) => reads.userRebate(readAddress(address)),
  );

  app.get(
    "/referral/on-chain/referral-info/:address",
    {
      config: { access: anyone, client: "referral.info" },
      schema: {
        tags,
        summary: "A trader's referral code with discount and reward",
        description: FRESHNESS,
        params,
        response: { 200: TraderReferralInfo, 500: ErrorBody },
      },
    },
    ({ params: { address } }) => reads.referralInfo(readAddress(address)),
  );

  app.get(
    "/referral/on-chain/claimed/:address",
    {
      config: { access: anyone, client: "referral.claimed" },
      schema: {
        tags,
        summary: "A user's claimed rebates",
        description: FRESHNESS,
        params,
        response: { 200: ClaimedRebate, 500: ErrorBody },
      },
    },
    ({ params: { address } }) => reads.claimed(readAddress(address)),
  );
}
