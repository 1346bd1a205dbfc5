import { useNavigate } from "@tanstack/react-router";
import { Button } from "../kit/button.tsx";
import { Menu, MenuItem, MenuLine } from "../kit/menu.tsx";
import { toast, toastError } from "../kit/toast.tsx";
import { shortHash } from "../lib/format.ts";
import { openConnect } from "./connect.ts";
import { useSession } from "./session.ts";
import { signOut, staffSignOut } from "./sign-in.ts";

/** Who is signed in, with the menu to sign out. */
export function WalletButton() {
  const wallet = useSession("wallet");
  const staff = useSession("staff");
  const navigate = useNavigate();
  const leave = (work: () => Promise<void>) => work().catch(toastError);
  const copyAddress = async (address: string) => {
    await navigator.clipboard.writeText(address);
    toast("accent", "Address copied");
  };
  return (
    <>
      {wallet === undefined && (
        <Button look="primary" onClick={openConnect}>
          Sign in
        </Button>
      )}
      {(wallet !== undefined || staff !== undefined) && (
        <Menu
          trigger={
            <Button>
              <span className="sr-only">Account</span>
              <span className="font-mono text-xs">{wallet === undefined ? staff?.name : shortHash(wallet.name)}</span>
            </Button>
          }
        >
          {wallet !== undefined && (
            <>
              <MenuItem onSelect={() => void copyAddress(wallet.name)}>Copy address</MenuItem>
              <MenuItem onSelect={() => void navigate({ to: "/portfolio" })}>Portfolio</MenuItem>
              <MenuItem onSelect={() => void leave(signOut)}>Sign out</MenuItem>
            </>
          )}
          {staff !== undefined && (
            <>
              {wallet !== undefined && <MenuLine />}
              <MenuItem onSelect={() => void leave(staffSignOut)}>Sign out {staff.name}</MenuItem>
            </>
          )}
        </Menu>
      )}
    </>
  );
}
