import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

const PAGES = [
  { to: "/partner", label: "Overview" },
  { to: "/partner/codes", label: "Codes" },
  { to: "/partner/downlines", label: "Downlines" },
  { to: "/partner/records", label: "Records" },
  { to: "/partner/payouts", label: "Payouts" },
  { to: "/partner/what-if", label: "What if" },
  { to: "/partner/leaderboard", label: "Leaderboard" },
] as const;

const FOR_EVERYBODY: readonly string[] = ["/partner", "/partner/payouts"];

/** The portal's pages in a row that scrolls. */
export function PartnerNav({ isBroker }: { readonly isBroker: boolean }) {
  const pages = isBroker ? PAGES : PAGES.filter(({ to }) => FOR_EVERYBODY.includes(to));
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the present page may be outside of the visible part.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each page
  useEffect(() => {
    row.current?.querySelector("[data-status=active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  return (
    <nav ref={row} aria-label="Partner pages" className="-mx-4 flex gap-1 overflow-x-auto px-4 py-0.5">
      {pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="rounded-md px-3 py-1.5 text-sm whitespace-nowrap text-muted hover:text-text"
          activeProps={{ className: "bg-panel text-text font-medium" }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
