import { Page } from "../kit/panel.tsx";

export function PartnerPage() {
  return <Page title="Partners">{null}</Page>;
}
