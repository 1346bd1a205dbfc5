import { Hash } from "../../kit/hash.tsx";
import { Money, Percent } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { useRead } from "../../lib/use-read.ts";
import { api } from "../../session/session.ts";
import { useKey } from "../queries.ts";

const WHOLE_BPS = Decimal.parse("10000");
const fractionOf = (bps: number): string => Decimal.parse(String(bps)).div(WHOLE_BPS, 4, "exact").toString();

/** What the referral contract says of the wallet. */
export function Referral({ address }: { readonly address: string }) {
  const query = useRead(useKey("referral"), async (call) => {
    const [info, rebate] = await Promise.all([
      api.referral.info(address, call),
      api.referral.userRebate(address, call),
    ]);
    return { info, rebate };
  });
  return (
    <Async query={query} rows={5} rowHeight={25}>
      {({ info, rebate }) => (
        <Facts>
          <Fact name="Code you used" value={info.code === "" ? "none" : info.code} />
          {info.code !== "" && <Fact name="Its owner" value={<Hash value={info.referrer} />} />}
          <Fact name="Your discount on fees" value={<Percent fraction={fractionOf(info.trader_discount_bps)} />} />
          <Fact name="The owner's reward" value={<Percent fraction={fractionOf(info.affiliate_reward_bps)} />} />
          <Fact name="Your own affiliate tier" value={rebate.tier_name} />
          <Fact name="Rebates you have claimed" value={<Money value={rebate.claimed_usd} />} />
        </Facts>
      )}
    </Async>
  );
}
