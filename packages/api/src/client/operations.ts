import type { AuditLogQuery, AuditPage, JobList, Liveness, PublicConfig, Readiness } from "../operations.ts";
import type { Call, Given, ReadOptions } from "./call.ts";
import { RequestRefused } from "./refusals.ts";

const isReadiness = (body: unknown): body is Readiness =>
  typeof body === "object" && body !== null && "checks" in body && "status" in body;

/** What everybody may know of the platform, and what admins see of its upkeep. */
export const operationsClient = ({ get }: Call) => ({
  config: (options?: ReadOptions) => get<PublicConfig>("/api/v1/config", {}, options),
  liveness: (options?: ReadOptions) => get<Liveness>("/healthz", {}, options),
  /** Also answers where the platform is `unavailable`, which the server says with 503. */
  readiness: async (options?: ReadOptions): Promise<Readiness> => {
    try {
      return await get<Readiness>("/readyz", {}, options);
    } catch (error) {
      if (error instanceof RequestRefused && isReadiness(error.body)) return error.body;
      throw error;
    }
  },
  jobs: (options?: ReadOptions) => get<JobList>("/api/v1/admin/jobs", {}, options),
  auditLog: (query: Given<AuditLogQuery> = {}, options?: ReadOptions) =>
    get<AuditPage>("/api/v1/admin/audit-log", query, options),
});
