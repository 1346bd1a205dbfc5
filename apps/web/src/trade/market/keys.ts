import { useEffect } from "react";
import { ticketIntent } from "../intents.ts";
import { helpDialog } from "./header/help.tsx";
import { marketSearch } from "./header/switcher.tsx";

/** Keys are not handled while a field has focus or a dialog is open. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  if (target?.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]"))
    return true;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  b: () => ticketIntent.set({ side: "BUY", takesFocus: true }),
  s: () => ticketIntent.set({ side: "SELL", takesFocus: true }),
  "/": () => marketSearch.set(true),
  "?": () => helpDialog.set(true),
};

/** The keys of the trade page, while it is shown. */
export function useTradeKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = ACTIONS[event.key];
      if (action === undefined || isTaken(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
