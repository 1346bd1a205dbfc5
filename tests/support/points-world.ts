/** A KOL, its customer and another wallet, who trade and score points, while servers are killed and restarted. */
import assert from "node:assert/strict";
import type {
  AccountTrade,
  AccountTradePage,
  DailyBoard,
  OwnPoints,
  PointsLedger,
  PointsSeason,
  SeasonAllocation,
  TokenReply,
} from "@bourse/api";
import type { Static } from "typebox";
import { parseUnits } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { reachTime, timeOf, whileItLives } from "./kills.ts";
import type { RunningServer } from "./server.ts";
import { postJson, signIn, TRADING_ENV } from "./traders.ts";

const ROLES = ["kol", "customer", "stranger"] as const;
type Role = (typeof ROLES)[number];

const HOUR_ms = 3_600_000;
const DAY_ms = 24 * HOUR_ms;
const WEEK_ms = 7 * DAY_ms;
const GENESIS_ms = Date.UTC(2024, 0, 1);
const USER_POOL = 1_000_003;

export const POINTS_ENV = { ...TRADING_ENV, POINTS_GENESIS: "2024-01-01" } as const;

const micros = (text: string) => parseUnits(text, 6);
const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);

/** An expected line: its source, its millionths of points and its time. */
interface Line {
  readonly name: string;
  readonly points: bigint;
  readonly time_ms: number;
}

/** PTS-3, computed again from what the trader received: 10 points per USDT of fee, times 1.5 for makers. */
function tradeLine({ symbol, id, side, fee, is_maker, time }: AccountTrade): Line {
  const points = (micros(fee) * 10n * (is_maker ? 150n : 100n)) / 100n;
  return { name: `trade ${symbol} ${id} ${side}`, points, time_ms: time };
}

/** A tenth of the invitee's points. */
const referralLine = ({ name, points, time_ms }: Line): Line => ({
  name: name.replace("trade", "referral"),
  points: points / 10n,
  time_ms,
});

const byName = (one: Line, other: Line) => (one.name < other.name ? -1 : 1);
const scored = (lines: readonly Line[]) => lines.filter(({ points }) => points > 0n).sort(byName);

type Pages<Page> = Page & { readonly next_cursor: string | null };

export class PointsWorld {
  readonly #wallets: Readonly<Record<Role, PrivateKeyAccount>>;
  readonly #tokens = new Map<Role, string>();
  #season = "";
  /** A minute after the end of the season's last epoch. */
  seasonEnd_ms = 0;
  refreshes = 0;

  private constructor() {
    const wallets = ROLES.map((role) => [role, privateKeyToAccount(generatePrivateKey())] as const);
    this.#wallets = Object.fromEntries(wallets) as Record<Role, PrivateKeyAccount>;
  }

  static async open(server: RunningServer): Promise<PointsWorld> {
    const world = new PointsWorld();
    const { baseUrl } = server;
    // A day that does not end during the test.
    await reachTime(server, (Math.floor((await timeOf(server)) / DAY_ms) + 1) * DAY_ms + HOUR_ms);
    for (const role of ROLES) {
      await postJson(`${baseUrl}/api/v1/dev/faucet`, { address: world.#address(role), amount: "1000000" });
    }
    await world.signIn(server);
    const admin = await world.#admin(server);
    const broker = `${baseUrl}/api/v1/broker`;
    await postJson(`${broker}/admin/kol`, { wallet_address: world.#address("kol"), level: 3 }, admin);
    const terms = { code_type: "direct", share_ratio: "0.1", customer_rebate_ratio: "0.1" };
    const { code } = await postJson<{ code: string }>(`${broker}/invite-code`, terms, world.#token("kol"));
    await postJson(`${broker}/bind`, { code }, world.#token("customer"));
    const epoch = world.#epochOf(await timeOf(server));
    const pools = { user_pool_tokens: USER_POOL, mm_pool_tokens: 0 };
    const season = { label: "Season", start_epoch: epoch, end_epoch: epoch, ...pools };
    const made = await postJson<PointsSeason>(`${baseUrl}/api/v1/points/admin/seasons`, season, admin);
    world.#season = made.season_id;
    world.seasonEnd_ms = GENESIS_ms + epoch * WEEK_ms + 60_000;
    return world;
  }

  async signIn({ baseUrl }: RunningServer): Promise<void> {
    for (const role of ROLES) this.#tokens.set(role, await signIn(baseUrl, this.#wallets[role]));
  }

  /** One of them buys and sells around one price, until the server is dead. */
  async tradeOn({ baseUrl }: RunningServer, role: Role, isOver: () => boolean): Promise<void> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${this.#token(role)}` };
    while (!isOver()) {
      const side = Math.random() < 0.5 ? "BUY" : "SELL";
      const price = String(60_000 + Math.floor(Math.random() * 11) - 5);
      const quantity = `0.${String(2 + Math.floor(Math.random() * 30)).padStart(3, "0")}`;
      const body = JSON.stringify({ symbol: "BTCUSDT", type: "LIMIT", side, quantity, price });
      await whileItLives(async () => {
        const reply = await fetch(`${baseUrl}/orders`, { method: "POST", headers, body });
        const text = await reply.text();
        assert.ok(reply.status === 200 || /TOO_MANY|-2025/.test(text), `an order: ${reply.status} ${text}`);
      });
    }
  }

  /** The lists are rebuilt all the time; each is complete at every read. */
  async refreshOn(server: RunningServer, isOver: () => boolean): Promise<void> {
    const { baseUrl } = server;
    while (!isOver()) {
      await whileItLives(async () => {
        const [run, board] = await Promise.all([
          postJson<{ ok: boolean; error: string | null }>(`${baseUrl}/api/v1/dev/jobs/points-refresh/run`, {}),
          this.#get<DailyBoard>(server, "/api/v1/points/leaderboard/daily"),
        ]);
        assert.ok(run.ok, `${run.error}`);
        assertOrdered(board);
        this.refreshes += 1;
      });
    }
  }

  /** PTS-3, PTS-4: lines match the fills, each once; totals are their sums; the lists are in order. */
  async assertPoints(server: RunningServer): Promise<number> {
    const expected = await this.#expectedLines(server);
    await postJson(`${server.baseUrl}/api/v1/dev/jobs/points-refresh/run`, {});
    const now_ms = await timeOf(server);
    const daily = new Map<string, bigint>();
    const whole = new Map<string, bigint>();
    for (const role of ROLES) {
      const lines = expected[role];
      assert.deepEqual(await this.#lines(server, role), lines, `${role}: every fill scores once`);
      const today = lines.filter(({ time_ms }) => Math.floor(time_ms / DAY_ms) === Math.floor(now_ms / DAY_ms));
      const epoch = lines.filter(({ time_ms }) => this.#epochOf(time_ms) === this.#epochOf(now_ms));
      const total = sum(lines.map(({ points }) => points));
      daily.set(this.#address(role), sum(today.map(({ points }) => points)));
      whole.set(this.#address(role), sum(epoch.map(({ points }) => points)));
      const own = await this.#get<OwnPoints>(server, "/api/v1/points/me", role);
      const said = [own.points_today, own.points_epoch, own.points_total].map(micros);
      assert.deepEqual(said, [daily.get(this.#address(role)), whole.get(this.#address(role)), total], role);
    }
    await this.#assertBoards(server, daily, whole);
    return ROLES.reduce((count, role) => count + expected[role].length, 0);
  }

  /** PTS-5: the snapshot was taken and allocates the whole pool; returns its root. */
  async assertAllocated(server: RunningServer): Promise<string> {
    const seasons = await this.#get<PointsSeason[]>(server, "/api/v1/points/seasons");
    const season = seasons.find(({ season_id }) => season_id === this.#season);
    assert.equal(season?.status, "snapshot");
    assert.ok(season.root !== null);
    const expected = await this.#expectedLines(server);
    let tokens = 0;
    for (const role of ROLES) {
      const path = `/api/v1/points/seasons/${this.#season}/allocation/${this.#address(role)}`;
      const allocation = await this.#get<SeasonAllocation>(server, path);
      assert.equal(micros(allocation.points), sum(expected[role].map(({ points }) => points)), role);
      assert.equal(allocation.root, season.root);
      tokens += allocation.tokens;
    }
    assert.equal(tokens, USER_POOL);
    return season.root;
  }

  async #assertBoards(
    server: RunningServer,
    daily: ReadonlyMap<string, bigint>,
    whole: ReadonlyMap<string, bigint>,
  ): Promise<void> {
    const today = await this.#get<DailyBoard>(server, "/api/v1/points/leaderboard/daily");
    assertOrdered(today);
    const shown = new Map(today.entries.map((entry) => [entry.user_address, micros(entry.points_today)]));
    assert.deepEqual(ordered(shown), ordered(daily), "the daily list");
    const path = "/api/v1/points/leaderboard/epoch";
    const { entries } = await this.#get<{ entries: { user_address: string; points: string }[] }>(server, path);
    const shownWhole = new Map(entries.map((entry) => [entry.user_address, micros(entry.points)]));
    assert.deepEqual(ordered(shownWhole), ordered(whole), "the epoch's list");
  }

  async #expectedLines(server: RunningServer): Promise<Record<Role, Line[]>> {
    const trades = {} as Record<Role, Line[]>;
    for (const role of ROLES) {
      const pages = await this.#all<Static<typeof AccountTradePage>>(server, role, "/account/trades");
      trades[role] = pages.flatMap((page) => page.items).map(tradeLine);
    }
    const { kol, customer, stranger } = trades;
    const referrals = customer.map(referralLine);
    return { kol: scored([...kol, ...referrals]), customer: scored(customer), stranger: scored(stranger) };
  }

  async #lines(server: RunningServer, role: Role): Promise<Line[]> {
    const pages = await this.#all<PointsLedger>(server, role, "/api/v1/points/me/ledger");
    const items = pages.flatMap((page) => page.items);
    return scored(
      items.map(({ source, symbol, trade_id, side, points, time }) => ({
        name: `${source} ${symbol} ${trade_id} ${side}`,
        points: micros(points),
        time_ms: Date.parse(time),
      })),
    );
  }

  async #all<Page>(server: RunningServer, role: Role, path: string): Promise<Page[]> {
    const pages: Page[] = [];
    for (let query = "?limit=500"; ; ) {
      const page = await this.#get<Pages<Page>>(server, `${path}${query}`, role);
      pages.push(page);
      if (page.next_cursor === null) return pages;
      query = `?limit=500&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  #address(role: Role): string {
    return this.#wallets[role].address.toLowerCase();
  }

  #token(role: Role): string {
    return this.#tokens.get(role)!;
  }

  #epochOf(time_ms: number): number {
    return Math.floor((time_ms - GENESIS_ms) / WEEK_ms) + 1;
  }

  async #admin({ baseUrl }: RunningServer): Promise<string> {
    const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
    return (await postJson<TokenReply>(`${baseUrl}/api/v1/broker/auth/login`, credentials)).access_token;
  }

  async #get<Reply>({ baseUrl }: RunningServer, path: string, role?: Role): Promise<Reply> {
    const authorization = role === undefined ? [] : [["authorization", `Bearer ${this.#token(role)}`] as const];
    const response = await fetch(`${baseUrl}${path}`, { headers: Object.fromEntries(authorization) });
    const text = await response.text();
    assert.equal(response.status, 200, `GET ${path}: ${text}`);
    return JSON.parse(text) as Reply;
  }
}

function assertOrdered({ entries, total }: DailyBoard): void {
  assert.equal(total, entries.length);
  for (const [place, { rank, points_today }] of entries.entries()) {
    assert.equal(rank, place + 1);
    const before = entries[place - 1]?.points_today ?? points_today;
    assert.ok(micros(before) >= micros(points_today), `${before} before ${points_today}`);
  }
}

/** Without wallets that have no points. */
const ordered = (points: ReadonlyMap<string, bigint>) => [...points].filter(([, amount]) => amount > 0n).sort();
