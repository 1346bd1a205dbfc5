import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { useIsDevelopment } from "../../app/config.ts";
import { Button } from "../../kit/button.tsx";
import { Menu, MenuItem, MenuLabel } from "../../kit/menu.tsx";
import { placeAt, placeGroups } from "./places.ts";

/** Beside the pages where there is room. */
export function SideNavigation() {
  const groups = placeGroups(useIsDevelopment());
  return (
    <aside className="sticky top-0 hidden max-h-[calc(100dvh-3rem)] w-52 shrink-0 self-start overflow-y-auto px-3 py-4 md:block">
      <nav aria-label="Console" className="flex flex-col gap-4">
        {groups.map(({ label, places }) => (
          <div key={label} className="flex flex-col gap-0.5">
            <span className="px-2.5 pb-1 text-xs font-medium text-faint">{label}</span>
            {places.map(({ to, label: place }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === "/admin" }}
                className="flex h-8 items-center rounded-md px-2.5 text-sm text-muted hover:bg-panel hover:text-text"
                activeProps={{ className: "bg-raised font-medium text-text" }}
              >
                {place}
              </Link>
            ))}
          </div>
        ))}
      </nav>
    </aside>
  );
}

/** On a phone: the name of the page, which opens the list of all pages. */
export function PhoneNavigation() {
  const groups = placeGroups(useIsDevelopment());
  const navigate = useNavigate();
  const here = useLocation({ select: ({ pathname }) => placeAt(pathname) });
  return (
    <nav aria-label="Console" className="px-4 pt-2 md:hidden">
      <Menu
        trigger={
          <Button className="w-full justify-between">
            <span>Console: {here?.label ?? "choose a page"}</span>
            <ChevronDown size={15} aria-hidden="true" />
          </Button>
        }
      >
        {groups.map(({ label, places }) => (
          <div key={label}>
            <MenuLabel>{label}</MenuLabel>
            {places.map(({ to, label: place }) => (
              <MenuItem key={to} onSelect={() => void navigate({ to })}>
                {place}
              </MenuItem>
            ))}
          </div>
        ))}
      </Menu>
    </nav>
  );
}
