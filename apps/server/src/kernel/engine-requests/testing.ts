import { EngineRequests, type EngineRequestsOptions } from "./engine-requests.ts";

/** For tests: requests to an engine without a projector. */
export function requestsWithoutTables(options: Omit<EngineRequestsOptions, "projector">): EngineRequests {
  return new EngineRequests({ ...options, projector: { waitFor: async () => {}, waitForAll: async () => {} } });
}
