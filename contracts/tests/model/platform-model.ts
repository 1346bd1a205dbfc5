import { FIRST_TOKENS, PAYERS } from "../support/world.ts";
import { EarnModel } from "./earn-model.ts";
import { ReferralModel } from "./referral-model.ts";
import { Tokens } from "./tokens.ts";
import { VaultModel } from "./vault-model.ts";

/** The models of all contracts, which share only the token. */
export class PlatformModel {
  readonly tokens = new Tokens(Object.fromEntries(PAYERS.map((name) => [name, FIRST_TOKENS])));
  readonly earn = new EarnModel(this.tokens);
  readonly vault = new VaultModel(this.tokens);
  readonly referral = new ReferralModel(this.tokens);
}
