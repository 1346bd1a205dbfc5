import { Addresses } from "./addresses.tsx";
import { Deposit } from "./deposit.tsx";
import { FundsHistory } from "./history.tsx";
import { Holds } from "./holds.tsx";
import { Withdraw } from "./withdraw.tsx";

export function Funds({ address }: { readonly address: string }) {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Deposit address={address} />
        <Withdraw address={address} />
      </div>
      <Holds />
      <FundsHistory />
      <Addresses />
    </div>
  );
}
