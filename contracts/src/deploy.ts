import {
  type Account,
  type Address,
  type Chain,
  encodeDeployData,
  getContractAddress,
  type Hex,
  isAddressEqual,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import { earnAbi, earnBytecode } from "../artifacts/earn.ts";
import { referralRebateAbi, referralRebateBytecode } from "../artifacts/referral-rebate.ts";
import { testUsdtAbi, testUsdtBytecode } from "../artifacts/test-usdt.ts";
import { vaultAbi, vaultBytecode } from "../artifacts/vault.ts";
import { roles } from "./names.ts";

export interface ContractAddresses {
  readonly usdt: Address;
  readonly earn: Address;
  readonly referral: Address;
  readonly vault: Address;
}

export interface DeploymentRoles {
  /** Has every contract's admin role at the end; the deployer keeps none unless it is the admin. */
  readonly admin: Address;
  readonly operator: Address;
  readonly earnSigner: Address;
  readonly pauser: Address;
  /** Mints test tokens; unused if the token is given. */
  readonly minter: Address;
}

export interface DeploymentOptions {
  readonly client: PublicClient<Transport, Chain>;
  readonly wallet: WalletClient<Transport, Chain, Account>;
  readonly roles: DeploymentRoles;
  /** An existing token; without it a test token is deployed first. */
  readonly usdt?: Address;
}

interface Step {
  readonly address: Address;
  readonly data: Hex;
}

interface Grant {
  readonly contract: Address;
  readonly role: Hex;
  readonly account: Address;
}

/** The addresses of the contracts of a deployer: they depend only on the deployer and on whether the token exists. */
export function plannedAddresses(deployer: Address, usdt?: Address): ContractAddresses {
  const first = usdt === undefined ? 1n : 0n;
  const at = (nonce: bigint): Address => getContractAddress({ from: deployer, nonce });
  return { usdt: usdt ?? at(0n), earn: at(first), referral: at(first + 1n), vault: at(first + 2n) };
}

function planSteps(deployer: Address, addresses: ContractAddresses, isTokenGiven: boolean): readonly Step[] {
  const { usdt, earn, referral, vault } = addresses;
  const args = [usdt, deployer] as const;
  const token = {
    address: usdt,
    data: encodeDeployData({ abi: testUsdtAbi, bytecode: testUsdtBytecode, args: [deployer] }),
  };
  return [
    ...(isTokenGiven ? [] : [token]),
    { address: earn, data: encodeDeployData({ abi: earnAbi, bytecode: earnBytecode, args }) },
    { address: referral, data: encodeDeployData({ abi: referralRebateAbi, bytecode: referralRebateBytecode, args }) },
    { address: vault, data: encodeDeployData({ abi: vaultAbi, bytecode: vaultBytecode, args }) },
  ];
}

function planGrants(addresses: ContractAddresses, holders: DeploymentRoles, isTokenGiven: boolean): readonly Grant[] {
  const { usdt, earn, referral, vault } = addresses;
  const platform = [earn, referral, vault].flatMap((contract) => [
    { contract, role: roles.operator, account: holders.operator },
    { contract, role: roles.pauser, account: holders.pauser },
    { contract, role: roles.admin, account: holders.admin },
  ]);
  const token = [
    { contract: usdt, role: roles.minter, account: holders.minter },
    { contract: usdt, role: roles.admin, account: holders.admin },
  ];
  return [
    ...(isTokenGiven ? [] : token),
    { contract: earn, role: roles.signer, account: holders.earnSigner },
    ...platform,
  ];
}

/** All contracts have the same role functions, so one ABI serves for all. */
const roleAbi = vaultAbi;

class Deployer {
  readonly #client: PublicClient<Transport, Chain>;
  readonly #wallet: WalletClient<Transport, Chain, Account>;

  constructor({ client, wallet }: DeploymentOptions) {
    this.#client = client;
    this.#wallet = wallet;
  }

  get address(): Address {
    return this.#wallet.account.address;
  }

  /** Does nothing if the contract exists: an interrupted deployment continues where it stopped. */
  async deploy({ address, data }: Step, nonce: number): Promise<void> {
    const code = await this.#client.getCode({ address });
    if (code !== undefined) return;
    const sent = await this.#client.getTransactionCount({ address: this.address });
    if (sent !== nonce) {
      throw new Error(`${this.address} has sent ${sent} transactions, so nothing of it can be deployed at ${address}`);
    }
    await this.#mined(await this.#wallet.sendTransaction({ data, nonce }));
  }

  async grant({ contract, role, account }: Grant): Promise<void> {
    if (await this.#hasRole(contract, role, account)) return;
    await this.#mined(
      await this.#wallet.writeContract({
        address: contract,
        abi: roleAbi,
        functionName: "grantRole",
        args: [role, account],
      }),
    );
  }

  async renounceAdmin(contract: Address): Promise<void> {
    if (!(await this.#hasRole(contract, roles.admin, this.address))) return;
    const args = [roles.admin, this.address] as const;
    await this.#mined(
      await this.#wallet.writeContract({ address: contract, abi: roleAbi, functionName: "renounceRole", args }),
    );
  }

  #hasRole(contract: Address, role: Hex, account: Address): Promise<boolean> {
    return this.#client.readContract({
      address: contract,
      abi: roleAbi,
      functionName: "hasRole",
      args: [role, account],
    });
  }

  async #mined(hash: Hex): Promise<void> {
    const { status } = await this.#client.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`transaction ${hash} of the deployment was reverted`);
  }
}

/**
 * Deploys the contracts, always in the same order from a deployer that has sent nothing else, and grants the roles.
 * Called again after an interruption it does the remaining steps, and nothing if there are none.
 */
export async function deployContracts(options: DeploymentOptions): Promise<ContractAddresses> {
  const deployer = new Deployer(options);
  const isTokenGiven = options.usdt !== undefined;
  const addresses = plannedAddresses(deployer.address, options.usdt);
  const steps = planSteps(deployer.address, addresses, isTokenGiven);
  for (const [nonce, step] of steps.entries()) await deployer.deploy(step, nonce);
  for (const grant of planGrants(addresses, options.roles, isTokenGiven)) await deployer.grant(grant);
  if (!isAddressEqual(options.roles.admin, deployer.address)) {
    for (const { address } of steps) await deployer.renounceAdmin(address);
  }
  return addresses;
}
