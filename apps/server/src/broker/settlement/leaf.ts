import type { RebateLeaf } from "@bourse/api";
import type { Selectable } from "kysely";
import { decimalText } from "../../kernel/units.ts";
import type { RebateRecordTable } from "../tables.ts";

export type RebateRecordRow = Selectable<RebateRecordTable>;

const DECIMALS = 6;
const fixed6 = (value: bigint | number) => decimalText(value, DECIMALS, DECIMALS);

/** The owner of a record: a broker's id, or the affiliate's wallet. */
export const ownerOf = ({ broker_id, net_payee }: Pick<RebateRecordRow, "broker_id" | "net_payee">): string =>
  broker_id ?? net_payee;

/** BRK-17: the fields of a record's leaf. They include no payment fields. */
export const leafFields = (record: RebateRecordRow): RebateLeaf => ({
  version: "bourse-rebate-v1",
  kind: record.kind,
  period: record.period,
  owner: ownerOf(record),
  downline_wallet: record.downline_wallet,
  revision: record.revision,
  fee: fixed6(record.fee_micros),
  nominal: fixed6(record.nominal_micros),
  customer: fixed6(record.customer_micros),
  share: fixed6(record.share_micros),
  net: fixed6(record.net_micros),
  rate: fixed6(record.rate_e6),
  customer_ratio: fixed6(record.customer_ratio_e6),
  share_ratio: fixed6(record.share_ratio_e6),
});

/** The fields in this order, one per line, without a final line break. */
export const leafText = (leaf: RebateLeaf): string =>
  [
    leaf.version,
    leaf.kind,
    leaf.period,
    leaf.owner,
    leaf.downline_wallet,
    leaf.revision,
    leaf.fee,
    leaf.nominal,
    leaf.customer,
    leaf.share,
    leaf.net,
    leaf.rate,
    leaf.customer_ratio,
    leaf.share_ratio,
  ].join("\n");
