import { refuseIfLate } from "../../kernel/late.ts";
import type { PointsOptions } from "../options.ts";
import { refusals } from "../refusals.ts";

/** Waits until all events of a wallet are written: a client that asks right after a fill sees its points. */
export const createWalletWait =
  ({ directory, projector }: Pick<PointsOptions, "directory" | "projector">) =>
  async (address: string): Promise<void> => {
    const account = directory.numberOf(address);
    if (account === undefined) return;
    await refuseIfLate(projector.waitForAccount(account), refusals.notReady);
  };
