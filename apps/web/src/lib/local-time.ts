import { type Instant, msOf } from "./time.ts";

const two = (value: number) => String(value).padStart(2, "0");

/** A moment as the browser's field for local times holds it: 2026-06-01T14:03, with seconds only where there are some. */
export function localInputOf(instant: Instant): string {
  const at = new Date(msOf(instant));
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const minute = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
  return at.getSeconds() === 0 ? minute : `${minute}:${two(at.getSeconds())}`;
}

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

/** What such a field holds, as the interface takes it; undefined where it is no moment. */
export function isoOfLocalInput(text: string): string | undefined {
  if (!SHAPE.test(text)) return undefined;
  // Without a zone it is read in the reader's own.
  const at_ms = Date.parse(text);
  return Number.isNaN(at_ms) ? undefined : new Date(at_ms).toISOString();
}
