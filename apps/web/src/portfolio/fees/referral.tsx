import { useQuery } from "@tanstack/react-query";
import { Hash } from "../../kit/hash.tsx";
import { Money, Percent } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { api } from "../../session/session.ts";
import { useKey } from "../queries.ts";

const WHOLE_BPS = Decimal.parse("10000");
const fractionOf = (bps: number): string => Decimal.parse(String(bps)).div(WHOLE_BPS, 4, "exact").toString();

/** What the referral contract says of the wallet. */
export function Referral({ address }: { readonly address: string }) {
  const query = useQuery({
    queryKey: useKey("referral"),
    queryFn: async ({ signal }) => {
      const [info, rebate] = await Promise.all([
        api.referral.info(address, { signal }),
        api.referral.userRebate(address, { signal }),
      ]);
      return { info, rebate };
    },
  });
  return (
    <Async query={query} skeleton={<Skeleton rows={5} rowHeight={25} />}>
      {({ info, rebate }) => (
        <Facts>
          <Fact name="Code you came with">{info.code === "" ? "none" : info.code}</Fact>
          {info.code !== "" && (
            <Fact name="Its owner">
              <Hash value={info.referrer} />
            </Fact>
          )}
          <Fact name="Your discount on fees">
            <Percent fraction={fractionOf(info.trader_discount_bps)} />
          </Fact>
          <Fact name="The owner's reward">
            <Percent fraction={fractionOf(info.affiliate_reward_bps)} />
          </Fact>
          <Fact name="Your own affiliate tier">{rebate.tier_name}</Fact>
          <Fact name="Rebates you have claimed">
            <Money value={rebate.claimed_usd} />
          </Fact>
        </Facts>
      )}
    </Async>
  );
}
