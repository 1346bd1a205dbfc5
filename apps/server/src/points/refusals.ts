import { ApiError, type RefusalDetails } from "../kernel/errors.ts";

const bad = (code: string, text: string, details?: RefusalDetails) => new ApiError(400, code, text, { details });
const conflict = (code: string, text: string, details?: RefusalDetails) => new ApiError(409, code, text, { details });

export const refusals = {
  fieldRequired: (name: string) => bad("FIELD_REQUIRED", `${name} is required`, { rule: name }),
  invalidField: (name: string, text: string) => bad("INVALID_FIELD", `${name} ${text}`, { rule: name }),
  invalidAddress: () => bad("INVALID_ADDRESS", "the address is not valid", { rule: "address" }),
  epochNotFound: (epoch: number, limit: number) =>
    new ApiError(404, "EPOCH_NOT_FOUND", `epoch ${epoch} has not begun`, { details: { rule: "epoch", limit } }),
  removed: () => bad("HISTORY_REMOVED", "points that old were removed: ask for a later time", { rule: "history_days" }),
  seasonNotFound: () => new ApiError(404, "SEASON_NOT_FOUND", "season not found"),
  allocationNotFound: () => new ApiError(404, "ALLOCATION_NOT_FOUND", "the wallet has no allocation in this season"),
  seasonNotSnapshotted: (status: string) =>
    conflict("SEASON_NOT_SNAPSHOTTED", "the season's snapshot was not taken yet", { status }),
  seasonOverlaps: (label: string) =>
    conflict("SEASON_OVERLAPS", `the epochs belong to the season ${label} already`, { rule: "epochs" }),
  seasonNumberTaken: (season_no: number) =>
    conflict("SEASON_NUMBER_TAKEN", `there is a season ${season_no} already`, { rule: "season_no", actual: season_no }),
  invalidState: (status: string, text: string) => conflict("INVALID_STATE", text, { status }),
  notReady: () =>
    new ApiError(503, "NOT_READY", "the points are not all written yet; try again in a moment", { retryAfter_s: 1 }),
};
