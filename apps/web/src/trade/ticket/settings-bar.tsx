import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { openConnect } from "../../session/connect.ts";
import type { TicketGround } from "./ground.ts";
import { LeverageDialog } from "./leverage-dialog.tsx";
import { MarginModeDialog } from "./margin-mode-dialog.tsx";
import type { MarketRules } from "./market-rules.ts";

/** Margin mode and leverage of the market, each a button that says what it is. */
export function SettingsBar({ market, ground }: { readonly market: MarketRules; readonly ground: TicketGround }) {
  const [open, setOpen] = useState<"mode" | "leverage">();
  const show = (which: "mode" | "leverage") => (ground.isSignedIn ? setOpen(which) : openConnect());
  const close = () => setOpen(undefined);
  const { leverage, marginMode, maxLeverage, position, hasOpenOrders, hasBonus } = ground;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button aria-label={`Margin mode: ${marginMode}`} onClick={() => show("mode")}>
        {marginMode === "cross" ? "Cross" : "Isolated"}
      </Button>
      <Button aria-label={`Leverage ${leverage}×`} className="num" onClick={() => show("leverage")}>
        {leverage}×
      </Button>
      {open === "mode" && (
        <MarginModeDialog
          symbol={market.symbol}
          mode={marginMode}
          hasPosition={position !== undefined}
          hasOpenOrders={hasOpenOrders}
          hasBonus={hasBonus}
          onClose={close}
        />
      )}
      {open === "leverage" && (
        <LeverageDialog
          market={market}
          leverage={leverage}
          maxLeverage={maxLeverage}
          position={position}
          onClose={close}
        />
      )}
    </div>
  );
}
