import { useState } from "react";
import { Page, Panel } from "../kit/panel.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { StaffGate } from "../session/staff-gate.tsx";
import { BdCodes } from "./bd-codes.tsx";
import { BdFigures } from "./bd-figures.tsx";
import { BdDownlineList, BdKols } from "./bd-kols.tsx";

type View = "kols" | "downlines" | "codes";

/** A business developer's desk: the KOLs it owns, what they bring, and codes for new ones. */
export function BdPage() {
  return (
    <StaffGate audience="bd">
      <Desk />
    </StaffGate>
  );
}

function Desk() {
  const [view, setView] = useState<View>("kols");
  return (
    <Page title="BD desk" lead="Your KOLs, what they bring, and codes for new ones.">
      <BdFigures />
      <Panel isFlush>
        <Tabs
          label="Parts of the desk"
          value={view}
          onChange={setView}
          items={[
            { value: "kols", label: "KOLs", content: <BdKols /> },
            { value: "downlines", label: "Used your codes", content: <BdDownlineList /> },
            { value: "codes", label: "Codes", content: <BdCodes /> },
          ]}
        />
      </Panel>
    </Page>
  );
}
