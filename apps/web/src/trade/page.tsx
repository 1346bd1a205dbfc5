import { useParams } from "@tanstack/react-router";
import { Page } from "../kit/panel.tsx";

export function TradePage() {
  const { symbol } = useParams({ from: "/trade/$symbol" });
  return <Page title={symbol}>{null}</Page>;
}
