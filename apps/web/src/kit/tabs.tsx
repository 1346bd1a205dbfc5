import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export interface TabItem<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly items: readonly TabItem<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly end?: ReactNode;
  readonly className?: string;
}

/** Several panels of which one is shown; arrow keys switch. */
export function Tabs<T extends string>({ label, items, value, onChange, end, className }: TabsProps<T>) {
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className={cx("flex min-h-0 min-w-0 flex-col", className)}
    >
      <div className="flex items-center justify-between gap-2 px-2">
        <RadixTabs.List aria-label={label} className="flex min-w-0 gap-1 overflow-x-auto">
          {items.map((item) => (
            <RadixTabs.Trigger
              key={item.value}
              value={item.value}
              className="h-9 px-2.5 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-[state=active]:font-medium data-[state=active]:text-text data-[state=active]:shadow-[inset_0_-2px_var(--accent)]"
            >
              {item.label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {end}
      </div>
      {items.map((item) => (
        <RadixTabs.Content key={item.value} value={item.value} className="min-h-0 flex-1 overflow-auto">
          {item.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
