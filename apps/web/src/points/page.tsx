import { Page } from "../kit/panel.tsx";

export function PointsPage() {
  return <Page title="Points">{null}</Page>;
}
