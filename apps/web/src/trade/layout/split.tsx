import type { ReactNode } from "react";
import { Group, type Layout, type LayoutChangedMeta, Panel, Separator } from "react-resizable-panels";
import { cx } from "../../lib/cx.ts";
import { createKeptStore, type Store, useStore } from "../../lib/store.ts";

/** The chosen sizes, by part in percent; undefined while none are chosen. */
export const keptSizes = (key: string): Store<Layout | undefined> =>
  createKeptStore(key, (kept) => {
    if (typeof kept !== "object" || kept === null) return undefined;
    const isWhole = Object.values(kept).every((size) => typeof size === "number" && size > 0 && size < 100);
    return isWhole ? (kept as Layout) : undefined;
  });

interface Part {
  readonly id: string;
  readonly content: ReactNode;
  /** In pixels; one part is left without and takes what remains. */
  readonly size?: number;
  readonly minSize: number;
}

interface SplitProps {
  readonly direction: "horizontal" | "vertical";
  readonly parts: readonly [Part, Part];
  readonly sizes: Store<Layout | undefined>;
  /** What the line between them moves. */
  readonly label: string;
}

/** Two parts with a line between them that can be dragged, or moved with the arrow keys; the choice is remembered. */
export function Split({ direction, parts, sizes, label }: SplitProps) {
  const kept = useStore(sizes);
  const remember = (layout: Layout, { isUserInteraction, requestedLayout }: LayoutChangedMeta) => {
    if (isUserInteraction) sizes.set(requestedLayout ?? layout);
  };
  const panelOf = ({ id, content, size, minSize }: Part) => (
    <Panel
      key={id}
      id={id}
      minSize={minSize}
      {...(size === undefined ? {} : { defaultSize: size, groupResizeBehavior: "preserve-pixel-size" as const })}
      className="flex h-full min-h-0 min-w-0 flex-col"
    >
      {content}
    </Panel>
  );
  return (
    <Group
      orientation={direction}
      {...(kept === undefined ? {} : { defaultLayout: kept })}
      onLayoutChanged={remember}
      className="min-h-0 min-w-0 flex-1"
    >
      {panelOf(parts[0])}
      <Separator
        aria-label={label}
        className={cx(
          "shrink-0 rounded-full hover:bg-hover data-[separator=active]:bg-accent-solid",
          direction === "horizontal" ? "w-1.5" : "h-1.5",
        )}
      />
      {panelOf(parts[1])}
    </Group>
  );
}
