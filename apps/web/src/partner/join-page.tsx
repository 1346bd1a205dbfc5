import { Page } from "../kit/panel.tsx";

export function JoinPage() {
  return <Page title="Join">{null}</Page>;
}
