import { X } from "lucide-react";
import type { ReactNode } from "react";
import { createStore, useStore } from "../lib/store.ts";
import { wordsOf } from "../lib/words.ts";
import { IconButton } from "./button.tsx";
import type { Tone } from "./panel.tsx";

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
}

const SHOWN_MS = 6_000;
const KEPT = 4;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

const dismiss = (id: number) => toasts.update((shown) => shown.filter((toast) => toast.id !== id));

/** Shows a message for some seconds, and tells it to screen readers. */
export function toast(tone: Tone, title: ReactNode, detail?: ReactNode): void {
  lastId += 1;
  const id = lastId;
  toasts.update((shown) => [...shown.slice(1 - KEPT), { id, tone, title, detail }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Shows a refusal with its code in small print. */
export function toastError(error: unknown): void {
  const { title, advice, code } = wordsOf(error);
  toast(
    "bad",
    <>
      {title} {code !== undefined && <span className="font-mono text-xs opacity-80">{code}</span>}
    </>,
    advice,
  );
}

const EDGES: Record<Tone, string> = {
  neutral: "shadow-[inset_3px_0_var(--muted)]",
  accent: "shadow-[inset_3px_0_var(--accent)]",
  up: "shadow-[inset_3px_0_var(--up)]",
  down: "shadow-[inset_3px_0_var(--down)]",
  good: "shadow-[inset_3px_0_var(--good)]",
  bad: "shadow-[inset_3px_0_var(--bad)]",
  warn: "shadow-[inset_3px_0_var(--warn)]",
};

export function Toaster() {
  const shown = useStore(toasts);
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed z-50 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 max-md:top-14 max-md:right-3 md:bottom-3 md:left-3"
    >
      {shown.map(({ id, tone, title, detail }) => (
        <div key={id} className="slide-in pointer-events-auto rounded-md bg-raised shadow-float">
          <div className={`flex items-start gap-2 rounded-md py-2 pr-1 pl-4 ${EDGES[tone]}`}>
            <div className="min-w-0 flex-1 text-sm">
              <div className="font-medium">{title}</div>
              {detail !== undefined && <div className="text-muted">{detail}</div>}
            </div>
            <IconButton size="small" label="Dismiss" icon={<X size={13} />} onClick={() => dismiss(id)} />
          </div>
        </div>
      ))}
    </section>
  );
}
