import { Page } from "../kit/panel.tsx";

export function BdPage() {
  return <Page title="BD">{null}</Page>;
}
