import type { ReactNode } from "react";
import { Time } from "../kit/time.tsx";
import type { Instant } from "../lib/time.ts";

/** What happened; on a phone, where the column of times has no room, with its time below. */
export function WhatAndWhen({ what, at }: { readonly what: ReactNode; readonly at: Instant }) {
  return (
    <span className="flex flex-col">
      {what}
      <span className="text-xs text-faint md:hidden">
        <Time at={at} precision="second" />
      </span>
    </span>
  );
}
