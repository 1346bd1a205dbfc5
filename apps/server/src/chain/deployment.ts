import { type ContractAddresses, deployContracts } from "@bourse/contracts";
import { type Address, createWalletClient, custom, getAddress, type Hex, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Settings } from "../settings/settings.ts";
import type { PlatformChain } from "./chain.ts";
import { DEPLOYER_KEY } from "./embedded/node.ts";

type Needed = Pick<
  Settings,
  "operatorKey" | "earnSignerKey" | "usdtAddress" | "earnAddress" | "referralAddress" | "vaultAddress"
>;

/** The operator's initial gas on an embedded chain, and the balance below which a start adds more. */
const OPERATOR_GAS_wei = parseEther("1000000");
const LITTLE_GAS_wei = parseEther("1000");

const addressOf = (key: string) => privateKeyToAccount(key as Hex).address;

/** The contracts' addresses: deployed at the first start of an embedded chain, else from the settings. */
export async function findContracts(chain: PlatformChain, settings: Needed): Promise<ContractAddresses> {
  if (chain.embedded !== undefined) return await deployOn(chain, chain.embedded.rpc, settings);
  const { usdtAddress, earnAddress, referralAddress, vaultAddress } = settings;
  return {
    usdt: required(usdtAddress, "USDT_ADDRESS"),
    earn: required(earnAddress, "EARN_ADDRESS"),
    referral: required(referralAddress, "REFERRAL_ADDRESS"),
    vault: required(vaultAddress, "VAULT_ADDRESS"),
  };
}

function required(address: string | undefined, name: string): Address {
  if (address === undefined)
    throw new Error(`${name} is missing: CHAIN_RPC_URL leads to a chain that has the contracts`);
  return getAddress(address);
}

/** The deployer's key is public, so it keeps no role: the operator gets all roles. */
async function deployOn(
  { client }: PlatformChain,
  rpc: NonNullable<PlatformChain["embedded"]>["rpc"],
  { operatorKey, earnSignerKey }: Needed,
): Promise<ContractAddresses> {
  const account = privateKeyToAccount(DEPLOYER_KEY);
  const transport = custom({ request: (args) => rpc.request(args) }, { retryCount: 0 });
  const wallet = createWalletClient({ account, chain: client.chain, transport });
  const operator = addressOf(operatorKey);
  const roles = {
    admin: operator,
    operator,
    pauser: operator,
    minter: operator,
    earnSigner: addressOf(earnSignerKey),
  };
  const contracts = await deployContracts({ client: client.public as never, wallet, roles });
  if ((await client.public.getBalance({ address: operator })) < LITTLE_GAS_wei) {
    const hash = await wallet.sendTransaction({ to: operator, value: OPERATOR_GAS_wei });
    await client.public.waitForTransactionReceipt({ hash });
  }
  return contracts;
}
