import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

export function Menu({ trigger, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          // Moves only while it opens: without motion a closing one would wait forever for the end of its animation.
          className="z-50 data-[state=open]:slide-in max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-lg bg-raised p-1 text-sm shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ onSelect, children }: { readonly onSelect: () => void; readonly children: ReactNode }) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className="flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 outline-none data-highlighted:bg-hover"
    >
      {children}
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export function MenuChoice<T extends string>({ label, options, value, onChange }: MenuChoiceProps<T>) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
        {options.map((option) => (
          <DropdownMenu.RadioItem
            key={option.value}
            value={option.value}
            onSelect={(event) => event.preventDefault()}
            className="flex h-8 cursor-pointer items-center justify-between gap-2 rounded-sm px-2.5 outline-none data-highlighted:bg-hover"
          >
            {option.label}
            <DropdownMenu.ItemIndicator className="text-accent">●</DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  );
}

/** The name of the items below it. */
export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-xs text-faint">{children}</DropdownMenu.Label>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
