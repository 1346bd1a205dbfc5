import { EngineRequests, type EngineRequestsOptions } from "./engine-requests.ts";

/** For tests: requests to an engine without a projector. */
export function requestsWithoutTables(options: Omit<EngineRequestsOptions, "projector">): EngineRequests {
  return new EngineRequests({ ...options, projector: { waitFor: async () => {}, waitForAll: async () => {} } });
}

/** For tests without an exchange: nothing is noted. */
export const WITHOUT_NOTES: Pick<EngineRequests, "note" | "isNoting" | "answer"> = {
  isNoting: false,
  note: async () => undefined,
  answer: async (ref) => {
    throw new Error(`nobody answers to ${ref}`);
  },
};
