import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import type { PointsOptions } from "../options.ts";
import { refusals } from "../refusals.ts";

/** Waits until everything that has happened to a wallet is written: a client that asks right after a fill sees its points. */
export const createWalletWait =
  ({ directory, projector }: Pick<PointsOptions, "directory" | "projector">) =>
  async (address: string): Promise<void> => {
    const account = directory.numberOf(address);
    if (account === undefined) return;
    try {
      await projector.waitForAccount(account);
    } catch (error) {
      if (error instanceof ProjectionTimeout) throw refusals.notReady();
      throw error;
    }
  };
