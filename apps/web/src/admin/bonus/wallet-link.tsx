import { Link } from "@tanstack/react-router";
import { shortHash } from "../../lib/format.ts";

/** A link from a wallet to its bonuses. */
export const WalletLink = ({ address }: { readonly address: string }) => (
  <Link
    to="/admin/bonus"
    search={{ tab: "accounts", address }}
    title={address}
    className="font-mono text-xs text-accent underline-offset-2 hover:underline"
  >
    {shortHash(address)}
  </Link>
);
