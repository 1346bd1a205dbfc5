import { Dialog } from "../../../kit/dialog.tsx";
import { createStore, useStore } from "../../../lib/store.ts";

export const helpDialog = createStore(false);

const KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["b"], does: "To the order form, buying" },
  { keys: ["s"], does: "To the order form, selling" },
  { keys: ["/"], does: "Search the markets; arrows and Enter choose" },
  { keys: ["↑", "↓"], does: "In the order book: from level to level" },
  { keys: ["Enter"], does: "In the order book: take the level's price into the form" },
  { keys: ["Esc"], does: "Close what is open; put a dragged line back" },
  { keys: ["?"], does: "This list" },
];

export function HelpDialog() {
  const isOpen = useStore(helpDialog);
  return (
    <Dialog
      title="Keyboard shortcuts"
      description="They are off while you type into a field."
      isOpen={isOpen}
      onClose={() => helpDialog.set(false)}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-sm">
        {KEYS.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="min-w-6 rounded-sm bg-raised px-1.5 py-0.5 text-center font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
