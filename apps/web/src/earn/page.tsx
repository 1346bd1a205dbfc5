import { Page } from "../kit/panel.tsx";

export function EarnPage() {
  return <Page title="Earn">{null}</Page>;
}
