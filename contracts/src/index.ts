export { earnAbi, earnBytecode } from "../artifacts/earn.ts";
export { referralRebateAbi, referralRebateBytecode } from "../artifacts/referral-rebate.ts";
export { testUsdtAbi, testUsdtBytecode } from "../artifacts/test-usdt.ts";
export { vaultAbi, vaultBytecode } from "../artifacts/vault.ts";
export {
  type ContractAddresses,
  type DeploymentOptions,
  type DeploymentRoles,
  deployContracts,
  plannedAddresses,
} from "./deploy.ts";
export { contributionPurposes, EARN_STATUSES, type EarnStatus, type EarnTerms, roles } from "./names.ts";
export {
  type EarnDomain,
  earnDomain,
  eip712DomainType,
  type SubscribeVoucher,
  subscribeTypedData,
  subscribeTypes,
} from "./voucher.ts";
