import type { ContractAddresses } from "@bourse/contracts";
import type { Hex } from "viem";
import type { ChainClient, ChainFollower, ChainListener, Operator, SyncStep } from "../chain/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Settings } from "../settings/settings.ts";
import { EarnActions } from "./actions.ts";
import { registerEarnAdminRoutes } from "./admin-routes.ts";
import { EarnContract } from "./contract.ts";
import { Cover } from "./cover.ts";
import { createEarnInvariant, type EarnFinding } from "./invariant.ts";
import { createEarnListener } from "./listener.ts";
import { ProductMoves } from "./moves.ts";
import { Prepare } from "./prepare.ts";
import { ProductAdmin } from "./product-admin.ts";
import { Products } from "./products.ts";
import { registerEarnRoutes } from "./routes.ts";
import { Subscriptions } from "./subscriptions.ts";
import { createVoucherSigner } from "./voucher-signer.ts";

export interface EarnOptions {
  readonly settings: Pick<Settings, "earnSignerKey" | "earnPreparePaused">;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached" | "indexed">;
  readonly contracts: Pick<ContractAddresses, "usdt" | "earn">;
}

/** Earn products, as the platform uses them. */
export interface Earn {
  readonly listener: ChainListener;
  /** WIRE-4: changes product states after the chain was read, as part of the job `chain-sync`. */
  readonly step: SyncStep;
  readonly jobs: readonly JobDefinition[];
  readonly admin: ProductAdmin;
  readonly prepare: Prepare;
  readonly products: Products;
  /** INV-5. */
  readonly invariant: () => Promise<EarnFinding>;
  register(app: App): void;
  /** RUN-6: updates products after the clock was moved. */
  afterClockMove(): Promise<void>;
}

export function createEarn(options: EarnOptions): Earn {
  const { settings, database, clock, random, log, audit, client, operator, follower, contracts } = options;
  const contract = new EarnContract({ client, earn: contracts.earn, usdt: contracts.usdt });
  const key = settings.earnSignerKey as Hex;
  const signer = createVoucherSigner({ chainId: client.chainId, earn: contracts.earn, key });
  const actions = new EarnActions({ database, clock, log, audit, contract, operator, follower });
  const moves = new ProductMoves({ database, clock, random, contract, actions });
  const products = new Products({ database, clock, log, contract });
  const cover = new Cover({
    clock,
    contract,
    onError: (err) => log.warn({ err }, "what stands behind reservations could not be read"),
  });
  const prepare = new Prepare({ database, clock, signer, cover, isPaused: settings.earnPreparePaused });
  const subscriptions = new Subscriptions({ database });
  const admin = new ProductAdmin({ database, clock, random, audit, actions, moves, products });
  return {
    listener: createEarnListener({ clock }),
    step: moves,
    // `chain-sync` does all scheduled work.
    jobs: [],
    admin,
    prepare,
    products,
    invariant: createEarnInvariant({ database, contract, follower }),
    register(app) {
      registerEarnRoutes(app, { products, prepare, subscriptions, signer });
      registerEarnAdminRoutes(app, admin);
    },
    async afterClockMove() {
      try {
        await moves.run();
      } catch (error) {
        // The clock has moved nevertheless; `chain-sync` retries and reports why it fails.
        log.error({ err: error }, "products could not be moved after the clock");
      }
    },
  };
}
