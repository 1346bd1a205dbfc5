import type { ProductDetail, ProductSolvency } from "@bourse/api/client";
import { useState } from "react";
import { readTyped, sayUnits, tokensOf } from "../../chain/tokens.ts";
import { interestOf } from "../../earn/interest.ts";
import { hasProblems, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { useServerNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { ConfirmWithReason } from "../frame/reason-field.tsx";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite, useWriteOnce } from "../frame/write.ts";
import { movesOf } from "./moves.ts";
import {
  changeOfProduct,
  draftOfProduct,
  EMPTY_DRAFT,
  linesOfProduct,
  previewOf,
  problemsOfNames,
  problemsOfProduct,
  renamed,
  requestOfProduct,
} from "./product-draft.ts";
import { NameFields, ProductFields, ProductPreview } from "./product-fields.tsx";

interface DialogProps {
  readonly onClose: () => void;
}

interface ProductDialogProps extends DialogProps {
  readonly product: ProductDetail;
  readonly solvency: ProductSolvency | undefined;
}

export function NewProductDialog({ onClose }: DialogProps) {
  const writeOnce = useWriteOnce();
  const now_ms = useServerNow();
  const form = useDraft(EMPTY_DRAFT, (draft) => problemsOfProduct(draft, now_ms));
  const parameters = requestOfProduct(form.draft, now_ms);
  const review = parameters && {
    title: "Create an earn product",
    changes: [
      ...linesOfProduct(parameters),
      { what: "Interest owed at full quota", after: sayUnits(previewOf(parameters).fullInterest) },
    ],
    warning: "It is written to the chain. Its parameters can be changed until it opens. Pay its interest in by “Fund”.",
    actionLabel: `Create ${parameters.name} for up to ${sayUnits(parameters.total_quota.toString())}`,
  };
  return (
    <ReviewDialog
      title="New earn product"
      description="Amounts are in USDT, times in your time zone with UTC below them."
      isWide
      review={review}
      asksReason
      onConfirm={async (reason) =>
        parameters &&
        writeOnce(
          "create product",
          { ...parameters, ...reason },
          (body) => staffApi.earnAdmin.createProduct(body),
          ({ name, chain_product_id }) => `${name} is on chain as number ${chain_product_id}.`,
        )
      }
      onClose={onClose}
    >
      <ProductFields form={form} />
      <ProductPreview parameters={parameters} />
    </ReviewDialog>
  );
}

/** All parameters until it opens; name and description at any time. */
export function ChangeProductDialog({ product, onClose }: ProductDialogProps) {
  const write = useWrite();
  const now_ms = useServerNow();
  const { canChangeParameters } = movesOf(product, now_ms);
  const form = useDraft(
    () => draftOfProduct(product),
    (draft) => (canChangeParameters ? problemsOfProduct(draft, now_ms) : problemsOfNames(draft)),
  );
  const next = canChangeParameters ? requestOfProduct(form.draft, now_ms) : renamed(product, form.draft);
  const change = next && !hasProblems(form.problems) ? changeOfProduct(product, next) : undefined;
  const review = change && {
    changes: change.lines,
    actionLabel: `Change ${counted(change.lines.length, "parameter")} of ${product.name}`,
  };
  return (
    <ReviewDialog
      title={`Change ${product.name}`}
      description={
        canChangeParameters
          ? "All parameters can be changed until it opens."
          : "It has opened: only its name and description can be changed."
      }
      isWide={canChangeParameters}
      review={review}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.earnAdmin.changeProduct(product.id, { ...change?.request, ...reason }),
          ({ name }) => `${name} is changed.`,
        )
      }
      onClose={onClose}
    >
      {canChangeParameters ? (
        <>
          <ProductFields form={form} />
          <ProductPreview parameters={next} />
        </>
      ) : (
        <NameFields form={form} />
      )}
    </ReviewDialog>
  );
}

const atLeastZero = (units: bigint) => (units > 0n ? units : 0n);

function fundingReview({ product, solvency }: ProductDialogProps, units: bigint) {
  const before = (text: string | undefined) => (text === undefined ? {} : { before: sayUnits(text) });
  const funded = BigInt(solvency?.funded_amount ?? "0");
  const missing = BigInt(solvency?.shortfall ?? "0");
  const isTooMuch = units > atLeastZero(interestOf(BigInt(product.total_quota), product) - funded);
  return {
    changes: [
      { what: "Paid in for it", ...before(solvency?.funded_amount), after: sayUnits(funded + units) },
      {
        what: "Still missing of what is owed",
        ...before(solvency?.shortfall),
        after: sayUnits(atLeastZero(missing - units)),
      },
      { what: "From", after: "the operator's wallet" },
      { what: "To", after: "the earn contract" },
    ],
    warning: isTooMuch && "This is more than the product can ever owe. The rest stays in the contract.",
    actionLabel: `Fund ${sayUnits(units)} for ${product.name}`,
  };
}

/** Pays interest into the contract for one product. */
export function FundDialog(props: ProductDialogProps) {
  const { product, solvency, onClose } = props;
  const writeOnce = useWriteOnce();
  const shortfall = BigInt(solvency?.shortfall ?? "0");
  const [amount, setAmount] = useState(shortfall > 0n ? tokensOf(shortfall) : "");
  const typed = readTyped(amount);
  const units = typed.kind === "amount" ? typed.units : undefined;
  const known = (text: string | undefined) => (text === undefined ? "not known" : sayUnits(text));
  return (
    <ReviewDialog
      title={`Fund ${product.name}`}
      description={`Owed by now: ${known(solvency?.interest_owed)}. Paid in: ${known(solvency?.funded_amount)}. At full quota it would owe ${sayUnits(interestOf(BigInt(product.total_quota), product))}.`}
      review={units === undefined ? undefined : fundingReview(props, units)}
      asksReason
      onConfirm={(reason) =>
        writeOnce(
          `fund ${product.id}`,
          { amount: String(units), ...reason },
          (body) => staffApi.earnAdmin.fundProduct(product.id, body),
          ({ name }) => `${sayUnits(units ?? 0n)} are in the contract for ${name}.`,
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Interest to pay in"
        kind="decimal"
        end="USDT"
        error={typed.kind === "wrong" ? typed.problem : undefined}
        value={amount}
        onChange={setAmount}
      />
    </ReviewDialog>
  );
}

export function CancelProductDialog({ product, solvency, onClose }: ProductDialogProps) {
  const write = useWrite();
  return (
    <ConfirmWithReason
      title={`Cancel ${product.name}`}
      changes={[
        { what: "Status", before: product.status, after: "cancelled" },
        {
          what: "Savers",
          after: `${counted(product.subscriber_count, "saver")} take back ${sayUnits(product.subscribed_amount)}`,
        },
        {
          what: "Interest",
          ...(solvency === undefined ? {} : { before: sayUnits(solvency.interest_owed) }),
          after: "none is paid",
        },
      ]}
      warning="The contract can never reopen a cancelled product."
      actionLabel={`Cancel ${product.name} with ${sayUnits(product.subscribed_amount)}`}
      typed="CANCEL"
      onClose={onClose}
      onConfirm={(reason) =>
        write(
          () => staffApi.earnAdmin.cancelProduct(product.id, reason),
          ({ name }) => `${name} is cancelled. Savers can take their principal back.`,
        )
      }
    />
  );
}
