import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Menu as MenuIcon, Settings2 } from "lucide-react";
import { Suspense } from "react";
import { IconButton } from "../kit/button.tsx";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../kit/menu.tsx";
import { Skeleton } from "../kit/states.tsx";
import { Toaster } from "../kit/toast.tsx";
import { useStore } from "../lib/store.ts";
import { ConnectDialog } from "../session/connect-dialog.tsx";
import { useSession } from "../session/session.ts";
import { WalletButton } from "../session/wallet-button.tsx";
import { appearance, type Colors, type Theme } from "./appearance.ts";
import { useIsDevelopment } from "./config.ts";
import { ServerStatus } from "./server-status.tsx";

const AREAS = [
  { to: "/trade", label: "Trade" },
  { to: "/portfolio", label: "Portfolio" },
  { to: "/earn", label: "Earn" },
  { to: "/points", label: "Points" },
  { to: "/partner", label: "Partners" },
] as const;

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
];
const COLORS: readonly { value: Colors; label: string }[] = [
  { value: "green-up", label: "Green rises, red falls" },
  { value: "red-up", label: "Red rises, green falls" },
  { value: "colour-blind", label: "Blue rises, orange falls" },
];

/** Staff areas are offered to staff, and to everyone on a development server. */
function useStaffAreas() {
  const role = useSession("staff")?.role;
  const isDevelopment = useIsDevelopment();
  return [
    ...(role === "bd" || isDevelopment ? [{ to: "/bd", label: "BD" } as const] : []),
    ...(role === "admin" || isDevelopment ? [{ to: "/admin", label: "Operator" } as const] : []),
  ];
}

function Navigation() {
  const areas = [...AREAS, ...useStaffAreas()];
  const navigate = useNavigate();
  return (
    <>
      <nav aria-label="Areas" className="hidden items-center gap-1 md:flex">
        {areas.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className="rounded-md px-2.5 py-1.5 text-sm text-muted hover:text-text"
            activeProps={{ className: "bg-raised text-text font-medium" }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <nav aria-label="Areas" className="md:hidden">
        <Menu trigger={<IconButton label="Areas" icon={<MenuIcon size={18} />} />}>
          {areas.map(({ to, label }) => (
            <MenuItem key={to} onSelect={() => void navigate({ to })}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </nav>
    </>
  );
}

function AppearanceMenu() {
  const { theme, colors } = useStore(appearance);
  return (
    <Menu trigger={<IconButton label="Appearance" icon={<Settings2 size={16} />} />}>
      <MenuChoice
        label="Theme"
        options={THEMES}
        value={theme}
        onChange={(next) => appearance.update((now) => ({ ...now, theme: next }))}
      />
      <MenuLine />
      <MenuChoice
        label="Colours of profit and loss"
        options={COLORS}
        value={colors}
        onChange={(next) => appearance.update((now) => ({ ...now, colors: next }))}
      />
    </Menu>
  );
}

export function Shell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2">
        To the content
      </a>
      <header className="flex h-12 shrink-0 items-center gap-3 px-3">
        <Link to="/trade" aria-label="Bourse, to trading" className="flex items-center gap-2 font-semibold">
          <img src="/app/icon.svg" width={22} height={22} alt="" />
          <span className="max-sm:sr-only">Bourse</span>
        </Link>
        <Navigation />
        <div className="ml-auto flex items-center gap-1.5">
          <ServerStatus />
          <AppearanceMenu />
          <WalletButton />
        </div>
      </header>
      <main id="content" className="flex min-h-0 flex-1 flex-col">
        <Suspense fallback={<Skeleton rows={12} rowHeight={40} />}>
          <Outlet />
        </Suspense>
      </main>
      <ConnectDialog />
      <Toaster />
    </div>
  );
}
