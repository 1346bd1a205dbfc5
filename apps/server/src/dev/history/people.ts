import { demoAddress } from "../demo/wallet.ts";
import { BDS, type DemoCustomers, type DemoKol, type DemoSubKol, KOLS } from "./cast.ts";
import type { WebClient } from "./web-client.ts";

const BROKER = "/api/v1/broker";
/** The demo's bots, which continue to trade after the history; each is a customer of a broker. */
const BOTS = ["demo trader 1", "demo trader 2", "demo trader 3", "demo trader 4"];
const MIN_DEPOSIT_usdt = 5_000;
/** At a leverage of ten, a tenth of a trade's value is its margin; the rest is for losses and fees. */
const DEPOSIT_PER_TRADE = 0.4;

/** A participant who trades from a certain day on. */
export interface DemoTrader {
  readonly label: string;
  readonly trade_usdt: number;
  readonly from: number;
}

/** A new code, with a note by which it is found again. */
interface CodeTerms {
  readonly code_type: "direct" | "sub_kol";
  readonly note: string;
  readonly share_ratio: string;
  readonly customer_rebate_ratio?: string;
  readonly sub_kol_rebate_rate?: string;
}

export interface PeopleOptions {
  readonly web: WebClient;
  readonly walletSeed: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** The password of the demo's BDs. */
  readonly bdPassword: string;
}

const kolLabel = ({ nickname }: DemoKol | DemoSubKol) => `demo partner ${nickname}`;
const customerLabel = (inviter: DemoKol | DemoSubKol, place: number) =>
  `demo customer ${place + 1} of ${inviter.nickname}`;

const directTerms = ({ ratio }: DemoCustomers): CodeTerms => ({
  code_type: "direct",
  share_ratio: "0.1",
  customer_rebate_ratio: ratio,
  note: "channel",
});

function joinDay({ count, joinFrom, joinTo }: DemoCustomers, place: number): number {
  return count === 1 ? joinFrom : joinFrom + Math.round(((joinTo - joinFrom) * place) / (count - 1));
}

/** All traders with their first day. Partners also trade a little for themselves. */
export function allTraders(): DemoTrader[] {
  const of = (inviter: DemoKol | DemoSubKol): DemoTrader[] => {
    const { customers, joins } = inviter;
    const own = { label: kolLabel(inviter), trade_usdt: Math.ceil(customers.trade_usdt / 3), from: joins };
    const invited = Array.from({ length: customers.count }, (_, place) => ({
      label: customerLabel(inviter, place),
      trade_usdt: customers.trade_usdt,
      from: joinDay(customers, place),
    }));
    return [own, ...invited];
  };
  return KOLS.flatMap((kol) => [...of(kol), ...kol.subKols.flatMap(of)]);
}

export interface Persona {
  readonly name: string;
  readonly role: "kol" | "sub_kol" | "customer";
  readonly label: string;
}

/** All personas that a visitor can sign in as. */
export function allPersonas(): Persona[] {
  const of = (inviter: DemoKol | DemoSubKol, role: Persona["role"]): Persona[] => [
    { name: inviter.nickname, role, label: kolLabel(inviter) },
    ...Array.from({ length: inviter.customers.count }, (_, place) => ({
      name: `Customer ${place + 1} of ${inviter.nickname}`,
      role: "customer" as const,
      label: customerLabel(inviter, place),
    })),
  ];
  return KOLS.flatMap((kol) => [...of(kol, "kol"), ...kol.subKols.flatMap((sub) => of(sub, "sub_kol"))]);
}

/**
 * Adds the participants day by day, by the requests of partners, customers and staff. Existing ones are not changed, so that an
 * interrupted day can be repeated.
 */
export class People {
  readonly #options: PeopleOptions;
  /** By inviter, type and note. */
  readonly #codes = new Map<string, string>();

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  addressOf(label: string): string {
    return demoAddress(this.#options.walletSeed, label);
  }

  admin(): Promise<string> {
    const { web, admin } = this.#options;
    return web.signInStaff(admin.username, admin.password);
  }

  /** The initial deposit of every trader. */
  deposits(): { address: string; usdt: number }[] {
    return allTraders().map(({ label, trade_usdt }) => ({
      address: this.addressOf(label),
      usdt: Math.max(MIN_DEPOSIT_usdt, Math.ceil(trade_usdt * DEPOSIT_PER_TRADE)),
    }));
  }

  /** Everything that happens on the day before trading starts. */
  async arrive(day: number, lastDay: number): Promise<void> {
    if (day === 0) await this.#hireBds();
    for (const kol of KOLS) {
      if (kol.joins === day) await this.#appoint(kol);
      await this.#invite(kol, day);
      for (const sub of kol.subKols) {
        if (sub.joins === day) await this.#appointSub(kol, sub);
        await this.#invite(sub, day);
      }
      if (kol.frozenOn === day) await this.#change(kol, { status: "frozen" });
    }
    if (day === lastDay) await this.#bindBots();
  }

  async #hireBds(): Promise<void> {
    const { web, bdPassword } = this.#options;
    const token = await this.admin();
    const known = await web.call<{ username: string }[]>("GET", `${BROKER}/admin/bds`, token);
    for (const bd of BDS) {
      if (known.some(({ username }) => username === bd.username)) continue;
      await web.call("POST", `${BROKER}/admin/bd`, token, { ...bd, initial_password: bdPassword });
    }
  }

  async #appoint(kol: DemoKol): Promise<void> {
    const { web } = this.#options;
    const token = await this.admin();
    const address = this.addressOf(kolLabel(kol));
    if ((await this.#kols(token)).some(({ wallet_address }) => wallet_address === address)) return;
    const bds = await web.call<{ id: string; username: string }[]>("GET", `${BROKER}/admin/bds`, token);
    const bd_id = bds.find(({ username }) => username === kol.bd)?.id;
    const { nickname, level } = kol;
    const payload = { wallet_address: address, nickname, level, ...(bd_id === undefined ? {} : { bd_id }) };
    await web.call("POST", `${BROKER}/admin/kol`, token, payload);
  }

  async #appointSub(parent: DemoKol, sub: DemoSubKol): Promise<void> {
    const { rate: sub_kol_rebate_rate, share: share_ratio, nickname: note } = sub;
    const terms: CodeTerms = { code_type: "sub_kol", share_ratio, sub_kol_rebate_rate, note };
    await this.#bindBy(kolLabel(parent), kolLabel(sub), terms);
    await this.#change(sub, { nickname: sub.nickname });
  }

  async #invite(inviter: DemoKol | DemoSubKol, day: number): Promise<void> {
    const { customers } = inviter;
    const terms = directTerms(customers);
    for (let place = 0; place < customers.count; place += 1) {
      if (joinDay(customers, place) !== day) continue;
      await this.#bindBy(kolLabel(inviter), customerLabel(inviter, place), terms);
    }
  }

  async #bindBots(): Promise<void> {
    for (const [place, bot] of BOTS.entries()) {
      const inviter = KOLS[place % KOLS.length];
      if (inviter === undefined) continue;
      await this.#bindBy(kolLabel(inviter), bot, directTerms(inviter.customers));
    }
  }

  /** Binds a wallet by the inviter's code with that note, or by a new one. */
  async #bindBy(inviter: string, invitee: string, terms: CodeTerms): Promise<void> {
    const { web } = this.#options;
    const code = await this.#codeOf(inviter, terms);
    // A used single-use code was used by its intended wallet, on a day that was interrupted.
    const accepted = terms.code_type === "direct" ? "ALREADY_BOUND" : "CODE_EXPIRED";
    await web.call("POST", `${BROKER}/bind`, await web.signIn(invitee), { code }, accepted);
  }

  async #codeOf(inviter: string, terms: CodeTerms): Promise<string> {
    const { web } = this.#options;
    const name = `${inviter}: ${terms.code_type} ${terms.note}`;
    const known = this.#codes.get(name);
    if (known !== undefined) return known;
    const token = await web.signIn(inviter);
    const url = `${BROKER}/invite-codes?code_type=${terms.code_type}`;
    const codes = await web.call<{ code: string; note: string | null }[]>("GET", url, token);
    const found = codes.find(({ note }) => note === terms.note);
    const { code } = found ?? (await web.call<{ code: string }>("POST", `${BROKER}/invite-code`, token, terms));
    this.#codes.set(name, code);
    return code;
  }

  async #change(partner: DemoKol | DemoSubKol, change: { status?: "frozen"; nickname?: string }): Promise<void> {
    const token = await this.admin();
    const address = this.addressOf(kolLabel(partner));
    const broker = (await this.#kols(token)).find(({ wallet_address }) => wallet_address === address);
    await this.#options.web.call("PUT", `${BROKER}/admin/kol/${broker?.broker_id}`, token, change);
  }

  #kols(token: string): Promise<{ broker_id: string; wallet_address: string }[]> {
    return this.#options.web.call("GET", `${BROKER}/admin/kols`, token);
  }
}
