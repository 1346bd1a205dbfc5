import { binanceBots } from "./binance-package.ts";
import type { BotKind } from "./bot.ts";
import { ccxtBots } from "./ccxt.ts";
import { connectorBots } from "./connector.ts";

/** The clients with which every case runs. */
export const botKinds: readonly BotKind[] = [ccxtBots, connectorBots, binanceBots];
