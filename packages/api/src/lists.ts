import { type TSchema, Type } from "typebox";
import { orNull } from "./account-shapes.ts";

/**
 * The one shape of our own lists (WIRE-8): `items`, asked for by `limit` and `cursor`. Lists that `interface.md` or `decisions.md`
 * describes keep the shape given there.
 */

export const LimitParameter = (most = 500, usual = 100) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      default: usual,
      description: `At most ${most}; more is cut to ${most}`,
      examples: [usual],
    }),
  );

export const CursorParameter = Type.Optional(
  Type.String({
    maxLength: 512,
    description: "`next_cursor` of the page before, with the same other parameters",
    examples: ["q83vEjRWeJCrze8"],
  }),
);

export const OrderParameter = Type.Optional(
  Type.Union([Type.Literal("asc"), Type.Literal("desc")], { default: "asc", description: "By time" }),
);

/** Of lists by time. */
export const cursorParameters = {
  limit: LimitParameter(),
  order: OrderParameter,
  start_time: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Milliseconds, included. Trading history that is older than the operator keeps it: HISTORY_REMOVED",
    }),
  ),
  end_time: Type.Optional(Type.Integer({ minimum: 0, description: "Milliseconds, included" })),
  cursor: CursorParameter,
};

export const NextCursor = orNull(Type.String({ description: "Opaque; null on the last page" }));

/** What has another name since; it is still answered or accepted. */
export const deprecated = (newName: string) => ({ deprecated: true, description: `Older name of \`${newName}\`` });

/**
 * The items of a list, and the same under the name that earlier releases gave them. That name is in replies and in the OpenAPI page; it is
 * not in the type, so that no program of ours uses it.
 */
export const itemFields = <Item extends TSchema>(item: Item, description: string, olderName?: string) => {
  const older: object = olderName === undefined ? {} : { [olderName]: Type.Array(item, deprecated("items")) };
  return { ...older, items: Type.Array(item, { description }) };
};

/** A page of a list, or a short list whole. */
export const listFields = <Item extends TSchema>(item: Item, description: string, olderName?: string) => ({
  ...itemFields(item, description, olderName),
  total: Type.Integer({ description: "Number of matching rows; -1 on pages requested by cursor" }),
  next_cursor: NextCursor,
});
