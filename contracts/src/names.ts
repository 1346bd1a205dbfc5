import { type ContractFunctionArgs, keccak256, stringToHex, zeroHash } from "viem";
import type { earnAbi } from "../artifacts/earn.ts";

/** The names of the roles on chain. */
export const roles = {
  admin: zeroHash,
  operator: keccak256(stringToHex("OPERATOR_ROLE")),
  pauser: keccak256(stringToHex("PAUSER_ROLE")),
  signer: keccak256(stringToHex("SIGNER_ROLE")),
  minter: keccak256(stringToHex("MINTER_ROLE")),
} as const;

/** Payments of the platform into the Vault that are no deposits. */
export const contributionPurposes = {
  insurance: stringToHex("insurance", { size: 32 }),
  bonus: stringToHex("bonus", { size: 32 }),
} as const;

/** A product's status on chain, by its number. */
export const EARN_STATUSES = ["unknown", "open", "settled", "cancelled"] as const;
export type EarnStatus = (typeof EARN_STATUSES)[number];

export type EarnTerms = ContractFunctionArgs<typeof earnAbi, "nonpayable", "createProduct">[0];
