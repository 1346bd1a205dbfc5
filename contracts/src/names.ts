import { type ContractFunctionArgs, keccak256, stringToHex, zeroHash } from "viem";
import type { earnAbi } from "../artifacts/earn.ts";

/** What a role is called on chain. */
export const roles = {
  admin: zeroHash,
  operator: keccak256(stringToHex("OPERATOR_ROLE")),
  pauser: keccak256(stringToHex("PAUSER_ROLE")),
  signer: keccak256(stringToHex("SIGNER_ROLE")),
  minter: keccak256(stringToHex("MINTER_ROLE")),
} as const;

/** What the platform pays into the vault that is no trader's deposit. */
export const contributionPurposes = {
  insurance: stringToHex("insurance", { size: 32 }),
  bonus: stringToHex("bonus", { size: 32 }),
} as const;

/** A product's status on chain, by the number that stands for it. */
export const EARN_STATUSES = ["unknown", "open", "settled", "cancelled"] as const;
export type EarnStatus = (typeof EARN_STATUSES)[number];

export type EarnTerms = ContractFunctionArgs<typeof earnAbi, "nonpayable", "createProduct">[0];
