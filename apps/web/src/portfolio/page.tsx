import { Page } from "../kit/panel.tsx";

export function PortfolioPage() {
  return <Page title="Portfolio">{null}</Page>;
}
