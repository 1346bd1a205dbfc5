import type { ReactNode } from "react";

/** A part of a panel with a quiet name of its own. */
export function Column({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">{title}</h3>
      {children}
    </div>
  );
}
