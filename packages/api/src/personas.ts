import { type Static, Type } from "typebox";

/** Development only: whom one can be to look at the platform from every side. */
export const Personas = Type.Object({
  staff: Type.Array(Type.Object({ role: Type.String(), username: Type.String(), password: Type.String() })),
  wallets: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.Enum(["kol", "sub_kol", "customer", "bonus"], {
        description: "What the wallet is in the broker program; `bonus`: somebody of the bonus campaign",
      }),
      address: Type.String(),
      private_key: Type.String({ description: "Of a wallet of this installation's demo; nothing of value is in it" }),
    }),
  ),
});
export type Personas = Static<typeof Personas>;
