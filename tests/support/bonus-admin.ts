/** The bonus administration, whose requests are repeated across restarts of the server. */
import assert from "node:assert/strict";
import type { PoolLedger } from "@bourse/api";
import type { RunningServer } from "./server.ts";
import { TRADING_ENV } from "./traders.ts";
import { waitFor } from "./waiting.ts";

const KEY = "a key of the bonus administration for these tests";
const OPERATOR = `0x${"11".repeat(20)}`;

export const BONUS_ENV = { ...TRADING_ENV, BONUS_ADMIN_API_KEY: KEY, BONUS_POOL_CAP_USDT: "1000000" } as const;

/** A request, and its reply if it came before the server was killed. */
export interface Asked {
  readonly endpoint: string;
  readonly body: Readonly<Record<string, unknown>>;
  answer: unknown;
}

const path = (endpoint: string) => `/api/v1/bonus/admin/${endpoint}`;

export class BonusAdmin {
  readonly asked: Asked[] = [];

  /** Assigns a request id to a request that is not sent yet. */
  request(endpoint: string, body: object): Asked {
    const request_id = `request-${this.asked.length + 1}`;
    const asked: Asked = { endpoint, body: { ...body, operator_addr: OPERATOR, request_id }, answer: undefined };
    this.asked.push(asked);
    return asked;
  }

  async post<Body>({ baseUrl }: RunningServer, { endpoint, body }: Asked): Promise<{ status: number; body: Body }> {
    const headers = { "content-type": "application/json", "x-bonus-admin-key": KEY };
    const reply = await fetch(`${baseUrl}${path(endpoint)}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: reply.status, body: (await reply.json()) as Body };
  }

  /** Repeats until the outcome is known, which must be a success. */
  async done<Body extends object>(server: RunningServer, asked: Asked): Promise<Body> {
    const ask = async () => {
      const { status, body } = await this.post<Body>(server, asked);
      if (status === 503) return undefined;
      assert.equal(status, 200, `${asked.endpoint}: ${JSON.stringify(body)}`);
      return { body };
    };
    const { body } = await waitFor(ask, { what: asked.endpoint });
    asked.answer = body;
    return body;
  }

  async get<Reply>({ baseUrl }: RunningServer, endpoint: string): Promise<Reply> {
    const response = await fetch(`${baseUrl}${path(endpoint)}`, { headers: { "x-bonus-admin-key": KEY } });
    const text = await response.text();
    assert.equal(response.status, 200, `GET ${endpoint}: ${text}`);
    return JSON.parse(text) as Reply;
  }

  /** All lines of the pool's ledger. */
  async poolLines(server: RunningServer): Promise<PoolLedger["items"]> {
    const lines: PoolLedger["items"] = [];
    for (let query = "?limit=500"; ; ) {
      const page = await this.get<PoolLedger>(server, `pool-ledger${query}`);
      lines.push(...page.items);
      if (page.next_cursor === null) return lines;
      query = `?limit=500&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }
}
