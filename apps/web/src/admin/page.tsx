import { Page } from "../kit/panel.tsx";
import { StaffGate } from "../session/staff-gate.tsx";

export function AdminPage() {
  return (
    <StaffGate audience="admin">
      <Page title="Operator console">{null}</Page>
    </StaffGate>
  );
}
