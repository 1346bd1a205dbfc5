/** A page of the console. */
export interface Place {
  readonly to: PlacePath;
  readonly label: string;
  /** Exists on a development server only. */
  readonly isDevelopment?: boolean;
}

export type PlacePath =
  | "/admin"
  | "/admin/bds"
  | "/admin/kols"
  | "/admin/tiers"
  | "/admin/settlement"
  | "/admin/payouts"
  | "/admin/records"
  | "/admin/earn"
  | "/admin/seasons"
  | "/admin/bonus"
  | "/admin/risk"
  | "/admin/switches"
  | "/admin/markets"
  | "/admin/market-risk"
  | "/admin/withdrawals"
  | "/admin/invariants"
  | "/admin/audit"
  | "/admin/jobs"
  | "/admin/health"
  | "/admin/development";

export interface PlaceGroup {
  readonly label: string;
  readonly places: readonly Place[];
}

const GROUPS: readonly PlaceGroup[] = [
  { label: "Overview", places: [{ to: "/admin", label: "Dashboard" }] },
  {
    label: "Partners",
    places: [
      { to: "/admin/bds", label: "BDs" },
      { to: "/admin/kols", label: "KOLs" },
      { to: "/admin/tiers", label: "Tiers" },
    ],
  },
  {
    label: "Rebates",
    places: [
      { to: "/admin/settlement", label: "Settlement" },
      { to: "/admin/payouts", label: "Payout batches" },
      { to: "/admin/records", label: "Rebate records" },
    ],
  },
  {
    label: "Programs",
    places: [
      { to: "/admin/earn", label: "Earn products" },
      { to: "/admin/seasons", label: "Seasons" },
      { to: "/admin/bonus", label: "Bonus" },
      { to: "/admin/risk", label: "Risk" },
    ],
  },
  {
    label: "Operations",
    places: [
      { to: "/admin/switches", label: "Kill switches" },
      { to: "/admin/markets", label: "Markets and prices" },
      { to: "/admin/market-risk", label: "Market risk" },
      { to: "/admin/withdrawals", label: "Withdrawals in review" },
      { to: "/admin/invariants", label: "Invariants" },
      { to: "/admin/audit", label: "Audit log" },
      { to: "/admin/jobs", label: "Jobs" },
      { to: "/admin/health", label: "Health" },
      { to: "/admin/development", label: "Development", isDevelopment: true },
    ],
  },
];

export function placeGroups(isDevelopment: boolean): readonly PlaceGroup[] {
  return GROUPS.map(({ label, places }) => ({
    label,
    places: places.filter((place) => isDevelopment || place.isDevelopment !== true),
  }));
}

/** The console page of a path: the one with the longest matching prefix. */
export function placeAt(path: string): Place | undefined {
  const places = GROUPS.flatMap((group) => group.places);
  const holding = places.filter(({ to }) => path === to || path.startsWith(`${to}/`));
  return holding.toSorted((one, other) => other.to.length - one.to.length)[0];
}
