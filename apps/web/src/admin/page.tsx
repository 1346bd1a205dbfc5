import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { Skeleton } from "../kit/states.tsx";
import { StaffGate } from "../session/staff-gate.tsx";
import { PhoneNavigation, SideNavigation } from "./frame/navigation.tsx";

/** The console's frame. Shows the sign-in until an admin is signed in. */
export function AdminPage() {
  return (
    <StaffGate audience="admin">
      <div className="flex min-h-0 min-w-0 flex-1">
        <SideNavigation />
        <div className="min-w-0 flex-1">
          <PhoneNavigation />
          <Suspense fallback={<Skeleton rows={12} rowHeight={40} />}>
            <Outlet />
          </Suspense>
        </div>
      </div>
    </StaffGate>
  );
}
