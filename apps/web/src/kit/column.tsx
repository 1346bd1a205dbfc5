import type { ReactNode } from "react";

/** A titled part of a panel. */
export function Column({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">{title}</h3>
      {children}
    </div>
  );
}
