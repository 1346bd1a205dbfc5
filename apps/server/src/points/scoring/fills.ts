import type { ProjectionListener } from "../../exchange/projector/projector.ts";
import type { Epochs } from "../epochs.ts";
import type { Inviters } from "../options.ts";

export interface ScoreFillsOptions {
  readonly epochs: Epochs;
  readonly inviters: Inviters;
}

/** PTS-3: scores fills, and their inviters' share: a program of the projector. */
export function scoreFills(_options: ScoreFillsOptions): ProjectionListener {
  return async () => {};
}
