import { Readable } from "node:stream";
import { FapiDownloadId, FapiDownloadLink, downloadParameters as parameters } from "@bourse/api";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal, invalidParameter } from "../../kernel/http/error-replies.ts";
import { DOWNLOAD_KINDS, type DownloadKind } from "../downloads/contents.ts";
import { DownloadRefused } from "../downloads/downloads.ts";
import { anyone, reading } from "./access.ts";
import { accountOf, type FapiContext, publicRoute, requiredWindowOf, signedRoute } from "./context.ts";
import type { FapiDownloads } from "./ports.ts";

const SUMMARIES: Readonly<Record<DownloadKind, string>> = {
  income: "income",
  order: "orders",
  trade: "own trades",
};

/** FUT-20: why an account cannot have a file, in the bots' words. */
function refusalOf({ reason, limit, retryAfter_ms }: DownloadRefused) {
  const details = { rule: `download_${reason}`, limit };
  if (reason === "too_large") {
    return fapiRefusal("BAD_DATA", {
      msg: `This time has more than ${limit} rows. Please ask for a shorter one.`,
      details,
    });
  }
  const busy = "A file is being made for this account. Please wait until it is complete.";
  const msg = reason === "busy" ? busy : `At most ${limit} files a day are made for an account.`;
  const wait = retryAfter_ms === undefined ? {} : { retryAfter_s: Math.ceil(retryAfter_ms / 1000) };
  return fapiRefusal("TOO_MANY_REQUESTS", { msg, details, ...wait });
}

const asRefusal = (error: unknown) => (error instanceof DownloadRefused ? refusalOf(error) : error);

function registerKind(app: App, context: FapiContext, downloads: FapiDownloads, kind: DownloadKind): void {
  app.get(
    `/fapi/v1/${kind}/asyn`,
    signedRoute({
      access: reading(1000),
      client: `account.requestDownloadOf${capitalised(kind)}(startTime, endTime)`,
      summary: `Ask for a file of ${SUMMARIES[kind]}`,
      description: "CSV, made by a job and kept for a day. One at a time and five a day for each account.",
      parameters: parameters.ask,
      reply: FapiDownloadId,
    }),
    async (request) => {
      const window = requiredWindowOf(request.fapi);
      const account = accountOf(context, request);
      if (account === 0) {
        throw fapiRefusal("BAD_DATA", {
          msg: "This wallet has no account and no history.",
          details: { rule: "account" },
        });
      }
      const asked = downloads.request(account, { kind, ...window });
      const { id, averageTime_ms } = await asked.catch((error: unknown) => Promise.reject(asRefusal(error)));
      return { avgCostTimestampOfLast30d: averageTime_ms, downloadId: id };
    },
  );

  app.get(
    `/fapi/v1/${kind}/asyn/id`,
    signedRoute({
      access: reading(10),
      client: `account.downloadOf${capitalised(kind)}(downloadId)`,
      summary: `Where a file of ${SUMMARIES[kind]} is`,
      parameters: parameters.one,
      reply: FapiDownloadLink,
    }),
    async (request) => {
      const downloadId = request.fapi.requiredText("downloadId");
      const found = await downloads.find(accountOf(context, request), kind, downloadId);
      if (found === undefined) throw invalidParameter("downloadId", { rule: "unknown" });
      const { file } = found;
      return {
        downloadId,
        status: file === undefined ? ("processing" as const) : ("completed" as const),
        url: file?.url ?? "",
        notified: false,
        expirationTimestamp: file?.expires_ms ?? -1,
        isExpired: file?.isExpired ?? null,
      };
    },
  );
}

const capitalised = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** FUT-20: histories as files. A process that does not make them leaves the requests to the one that does. */
export function registerDownloadRoutes(app: App, context: FapiContext): void {
  const { downloads } = context;
  if (downloads === undefined) return;
  for (const kind of DOWNLOAD_KINDS) registerKind(app, context, downloads, kind);

  app.get(
    "/fapi/v1/download",
    {
      ...publicRoute({
        access: anyone(20),
        summary: "A file of a history",
        description:
          "The token is the permission: the URL is given to the owner alone and ends with the file, after a day.",
        parameters: parameters.file,
        reply: Type.String({ description: "CSV with a header row" }),
      }),
    },
    async ({ fapi }, reply) => {
      const file = await downloads.open(fapi.requiredText("token"));
      if (file === undefined) throw invalidParameter("token", { rule: "unknown" });
      reply.header("content-disposition", `attachment; filename="${file.name}"`);
      return reply.type("text/csv; charset=utf-8").send(Readable.from(file.content) as never);
    },
  );
}
