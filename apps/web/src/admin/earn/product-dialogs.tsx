import type { ProductDetail, ProductSolvency } from "@bourse/api/client";
import { useState } from "react";
import { readTyped, sayUnits, tokensOf } from "../../chain/tokens.ts";
import { interestOf } from "../../earn/interest.ts";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field } from "../../kit/field.tsx";
import { once } from "../../lib/once.ts";
import { useServerNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { movesOf } from "./moves.ts";
import {
  changeOfProduct,
  draftOfProduct,
  EMPTY_DRAFT,
  linesOfTerms,
  previewOf,
  problemsOfNames,
  problemsOfProduct,
  renamedTerms,
  requestOfProduct,
} from "./product-draft.ts";
import { NameFields, ProductFields, TermsPreview } from "./product-fields.tsx";

interface DialogProps {
  readonly onClose: () => void;
}

interface ProductDialogProps extends DialogProps {
  readonly product: ProductDetail;
  readonly solvency: ProductSolvency | undefined;
}

export function NewProductDialog({ onClose }: DialogProps) {
  const write = useWrite();
  const now_ms = useServerNow();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const terms = requestOfProduct(draft, now_ms);
  const create = async () => {
    if (terms === undefined) return;
    const request = { ...terms, ...reasonOf(reason) };
    await write(
      () =>
        once("create product", request, (request_id) => staffApi.earnAdmin.createProduct({ ...request, request_id })),
      ({ name, chain_product_id }) => `${name} is on chain as number ${chain_product_id}.`,
    );
  };
  if (isAsking && terms !== undefined) {
    const { fullInterest } = previewOf(terms);
    return (
      <ConfirmAction
        title="Create an earn product"
        changes={[...linesOfTerms(terms), { what: "Interest owed at full quota", after: sayUnits(fullInterest) }]}
        warning="It is written to the chain. Its terms can be changed until it opens; interest is paid in by “Fund”."
        actionLabel={`Create ${terms.name} for up to ${sayUnits(terms.total_quota.toString())}`}
        isOpen
        // What was typed is still there for who looks again.
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        onConfirm={async () => {
          await create();
          onClose();
        }}
      >
        <ReasonField value={reason} onChange={setReason} />
      </ConfirmAction>
    );
  }
  return (
    <FormDialog
      title="New earn product"
      description="Amounts are in USDT, times in your own zone with UTC below them."
      submitLabel="Review"
      isReady={terms !== undefined}
      isWide
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <ProductFields draft={draft} problems={problemsOfProduct(draft, now_ms)} onChange={setDraft} />
      <TermsPreview terms={terms} />
    </FormDialog>
  );
}

/** All terms until it opens; name and description at any time. */
export function ChangeProductDialog({ product, onClose }: ProductDialogProps) {
  const write = useWrite();
  const now_ms = useServerNow();
  const [draft, setDraft] = useState(() => draftOfProduct(product));
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const { canChangeTerms } = movesOf(product, now_ms);
  const problems = canChangeTerms ? problemsOfProduct(draft, now_ms) : problemsOfNames(draft);
  const isGood = Object.keys(problems).length === 0;
  const terms = !isGood ? undefined : canChangeTerms ? requestOfProduct(draft, now_ms) : renamedTerms(product, draft);
  const change = terms && changeOfProduct(product, terms);
  if (isAsking && change !== undefined) {
    return (
      <ConfirmAction
        title={`Change ${product.name}`}
        changes={change.lines}
        actionLabel={`Change ${counted(change.lines.length, "term")} of ${product.name}`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        onConfirm={async () => {
          await write(
            () => staffApi.earnAdmin.changeProduct(product.id, { ...change.request, ...reasonOf(reason) }),
            ({ name }) => `${name} is changed.`,
          );
          onClose();
        }}
      >
        <ReasonField value={reason} onChange={setReason} />
      </ConfirmAction>
    );
  }
  return (
    <FormDialog
      title={`Change ${product.name}`}
      description={
        canChangeTerms
          ? "All terms can be changed until it opens."
          : "It has opened: its terms are final. Name and description can be changed."
      }
      submitLabel="Review"
      isReady={change !== undefined && change.lines.length > 0}
      isWide={canChangeTerms}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      {canChangeTerms ? (
        <>
          <ProductFields draft={draft} problems={problems} onChange={setDraft} />
          <TermsPreview terms={terms} />
        </>
      ) : (
        <NameFields draft={draft} problems={problems} onChange={setDraft} />
      )}
    </FormDialog>
  );
}

const atLeastZero = (units: bigint) => (units > 0n ? units : 0n);

interface ConfirmFundingProps extends ProductDialogProps {
  readonly units: bigint;
  readonly reason: string;
  readonly onBack: () => void;
}

function ConfirmFunding({ product, solvency, units, reason, onBack, onClose }: ConfirmFundingProps) {
  const write = useWrite();
  const request = { amount: units.toString(), ...reasonOf(reason) };
  const before = (text: string | undefined) => (text === undefined ? {} : { before: sayUnits(text) });
  const funded = BigInt(solvency?.funded_amount ?? "0");
  const missing = BigInt(solvency?.shortfall ?? "0");
  const isTooMuch = units > atLeastZero(interestOf(BigInt(product.total_quota), product) - funded);
  return (
    <ConfirmAction
      title={`Fund ${product.name}`}
      changes={[
        { what: "Paid in for it", ...before(solvency?.funded_amount), after: sayUnits(funded + units) },
        {
          what: "Still missing of what is owed",
          ...before(solvency?.shortfall),
          after: sayUnits(atLeastZero(missing - units)),
        },
        { what: "From", after: "the operator's wallet" },
        { what: "To", after: "the earn contract" },
      ]}
      {...(isTooMuch
        ? { warning: "This is more than the product can ever owe. What is too much stays in the contract." }
        : {})}
      actionLabel={`Fund ${sayUnits(units)} for ${product.name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onBack()}
      onConfirm={async () => {
        await write(
          () =>
            once(`fund ${product.id}`, request, (request_id) =>
              staffApi.earnAdmin.fundProduct(product.id, { ...request, request_id }),
            ),
          ({ name }) => `${sayUnits(units)} are in the contract for ${name}.`,
        );
        onClose();
      }}
    />
  );
}

/** Pays interest money into the contract for one product. */
export function FundDialog({ product, solvency, onClose }: ProductDialogProps) {
  const shortfall = BigInt(solvency?.shortfall ?? "0");
  const [amount, setAmount] = useState(shortfall > 0n ? tokensOf(shortfall) : "");
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const typed = readTyped(amount);
  if (isAsking && typed.kind === "amount") {
    const props = { product, solvency, units: typed.units, reason };
    return <ConfirmFunding {...props} onBack={() => setAsking(false)} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={`Fund ${product.name}`}
      description={
        <>
          Owed by now: {solvency === undefined ? "not known" : sayUnits(solvency.interest_owed)}. Paid in:{" "}
          {solvency === undefined ? "not known" : sayUnits(solvency.funded_amount)}. At full quota it would owe{" "}
          {sayUnits(interestOf(BigInt(product.total_quota), product))}.
        </>
      }
      submitLabel="Review"
      isReady={typed.kind === "amount"}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <Field label="Interest to pay in" error={typed.kind === "wrong" ? typed.problem : undefined}>
        {(ids) => (
          <DecimalInput {...ids} end="USDT" value={amount} onChange={(event) => setAmount(event.target.value)} />
        )}
      </Field>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

export function CancelProductDialog({ product, solvency, onClose }: ProductDialogProps) {
  const write = useWrite();
  const [reason, setReason] = useState("");
  return (
    <ConfirmAction
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
      warning="The contract never takes a cancelled product up again."
      actionLabel={`Cancel ${product.name} with ${sayUnits(product.subscribed_amount)}`}
      typed="CANCEL"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() =>
        write(
          () => staffApi.earnAdmin.cancelProduct(product.id, reasonOf(reason)),
          ({ name }) => `${name} is cancelled. Savers can take their principal back.`,
        )
      }
    >
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmAction>
  );
}
