import { type Static, Type } from "typebox";

/** Development only: wallets and staff of the demo that a visitor can sign in as. */
export const Personas = Type.Object({
  staff: Type.Array(Type.Object({ role: Type.String(), username: Type.String(), password: Type.String() })),
  wallets: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.Enum(["kol", "sub_kol", "customer", "bonus"], {
        description: "The wallet's role in the broker program; `bonus`: a wallet of the bonus campaign",
      }),
      address: Type.String(),
      private_key: Type.String({ description: "Key of a demo wallet of this installation, without value" }),
    }),
  ),
});
export type Personas = Static<typeof Personas>;
