import { type Static, Type } from "typebox";

/** Histories as files, which a job makes, on the exchange-style interface. */

const Ms = Type.Integer({ description: "Milliseconds since 1970" });

export const FapiDownloadId = Type.Object({
  avgCostTimestampOfLast30d: Type.Integer({ description: "How long such files took, in milliseconds; 0 if unknown" }),
  downloadId: Type.String(),
});
export type FapiDownloadId = Static<typeof FapiDownloadId>;

export const FapiDownloadLink = Type.Object({
  downloadId: Type.String(),
  status: Type.Union([Type.Literal("processing"), Type.Literal("completed")]),
  url: Type.String({ description: "Of the file; empty while there is none. Whoever has it can read the file" }),
  notified: Type.Boolean(),
  expirationTimestamp: Type.Integer({ description: "Milliseconds since 1970; -1 while there is no file" }),
  isExpired: Type.Union([Type.Boolean(), Type.Null()]),
});
export type FapiDownloadLink = Static<typeof FapiDownloadLink>;

/** Documentation of the parameters. */
export const downloadParameters = {
  ask: { startTime: Ms, endTime: Type.Integer({ description: "Milliseconds since 1970; at most a year later" }) },
  one: { downloadId: Type.String() },
  file: { token: Type.String({ description: "As in the URL" }) },
};
