import type { Readiness } from "@bourse/api/client";
import { useState } from "react";
import { Dialog } from "../kit/dialog.tsx";
import { Badge } from "../kit/panel.tsx";
import { cx } from "../lib/cx.ts";
import { useRead } from "../lib/use-read.ts";
import { useConfig } from "./config.ts";

const REFRESH_MS = 15_000;

const WORDS: Record<Readiness["status"], string> = {
  ready: "Everything is running",
  degraded: "Running, with a fault",
  unavailable: "Not able to serve",
};

/** `/readyz` says 503 when it is not ready, with the same body. */
async function readReadiness(): Promise<Readiness> {
  const response = await fetch("/readyz");
  return (await response.json()) as Readiness;
}

/** A dot that shows whether the exchange is healthy, and a dialog with its checks. */
export function ServerStatus() {
  const [isOpen, setOpen] = useState(false);
  const config = useConfig();
  const { data, isError } = useRead(["readiness"], readReadiness, { refetchInterval: REFRESH_MS, retry: false });
  const isWell = !isError && data?.status === "ready";
  const words = isError
    ? "The exchange does not answer"
    : data === undefined
      ? "Checking the exchange"
      : WORDS[data.status];
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        title={words}
        className="flex h-8 items-center gap-2 rounded-md px-2 text-xs text-muted hover:bg-hover"
      >
        <span
          className={cx(
            "size-2 rounded-full",
            data === undefined && !isError ? "bg-faint" : isWell ? "bg-good" : "bg-warn",
          )}
        />
        <span className="sr-only">{words}</span>
        {config?.env === "development" && <span className="max-lg:hidden">development</span>}
      </button>
      <Dialog
        title={words}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        description="The state of each part of the exchange."
      >
        <ul className="flex flex-col gap-1.5 text-sm">
          {Object.entries(data?.checks ?? {}).map(([name, { ok, detail }]) => (
            <li key={name} className="flex items-baseline justify-between gap-3">
              <span className="flex items-center gap-2">
                <Badge tone={ok ? "good" : "warn"}>{ok ? "ok" : "fault"}</Badge> {name}
              </span>
              <span className="text-right text-muted">{detail}</span>
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">
          For programs:{" "}
          <a className="text-accent underline" href="/docs/">
            API reference
          </a>
          ,{" "}
          <a className="text-accent underline" href="/openapi.json">
            OpenAPI
          </a>
          ,{" "}
          <a className="text-accent underline" href="/metrics">
            metrics
          </a>
          .
        </p>
      </Dialog>
    </>
  );
}
