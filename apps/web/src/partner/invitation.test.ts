import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type BindReply, RequestRefused, ServerUnreachable } from "@bourse/api/client";
import { acceptInvitation, cleanCode, invitation, receiveInvitation, refusalOf } from "./invitation.ts";

const BOUND: BindReply = {
  bound: true,
  code_type: "direct",
  inviter_wallet: "0x1",
  inviter_name: "Moon Li",
  bind_time: "2026-06-01T00:00:00.000Z",
};
const refused = (status: number, code: string, details?: object) =>
  new RequestRefused(status, { error: code.toLowerCase(), code, details });

beforeEach(() => invitation.set(undefined));

describe("BRK-1: an invitation", () => {
  it("is remembered with its code cleaned, and joins on sign-in for those who were not signed in", () => {
    receiveInvitation(" 7k3m 9qxa ", false);
    assert.deepEqual(invitation.get(), { code: "7K3M9QXA", joinsOnSignIn: true });
    receiveInvitation("7K3M9QXA", true);
    assert.equal(invitation.get()?.joinsOnSignIn, true, "signing in does not take it back");
    assert.equal(cleanCode("x".repeat(100)).length, 32);
  });

  it("asks a wallet that was signed in before", () => {
    receiveInvitation("7K3M9QXA", true);
    assert.equal(invitation.get()?.joinsOnSignIn, false);
  });

  it("is asked for once, however often it is accepted meanwhile, and its answer is kept", async () => {
    receiveInvitation("7K3M9QXA", false);
    let asked = 0;
    const bind = async () => {
      asked += 1;
      return BOUND;
    };
    await Promise.all([1, 2, 3].map(() => acceptInvitation("0xa", "7K3M9QXA", bind)));
    assert.equal(asked, 1);
    assert.deepEqual(invitation.get()?.answer, { wallet: "0xa", bound: BOUND });
    receiveInvitation("7K3M9QXA", true);
    assert.deepEqual(invitation.get()?.answer, { wallet: "0xa", bound: BOUND }, "the same link again");
    receiveInvitation("ANOTHER1", true);
    assert.equal(invitation.get()?.answer, undefined, "another link");
  });

  it("keeps a refusal, but not silence or a server in trouble", async () => {
    receiveInvitation("7K3M9QXA", false);
    const answer = await acceptInvitation("0xa", "7K3M9QXA", () => Promise.reject(refused(409, "ALREADY_BOUND")));
    assert.ok("refused" in answer);
    assert.deepEqual(invitation.get()?.answer, answer);
    invitation.set({ code: "7K3M9QXA", joinsOnSignIn: true });
    for (const trouble of [new ServerUnreachable(undefined, "gone"), refused(503, "NOT_READY"), refused(429, "X")]) {
      await assert.rejects(acceptInvitation("0xa", "7K3M9QXA", () => Promise.reject(trouble)));
      assert.equal(invitation.get()?.answer, undefined);
    }
  });

  it("every refusal says what happened and what to do", () => {
    const words = (status: number, code: string, details?: object) => {
      const { title, advice } = refusalOf(refused(status, code, details));
      return `${title} ${advice}`;
    };
    assert.match(words(404, "CODE_NOT_FOUND"), /no such code.*ask for the link again/);
    assert.match(words(410, "CODE_EXPIRED", { status: "used" }), /has been used/);
    assert.match(words(410, "CODE_EXPIRED", { status: "expired" }), /has expired/);
    assert.match(words(410, "CODE_EXPIRED", { status: "disabled" }), /switched it off/);
    assert.match(words(410, "CODE_EXPIRED"), /Ask for a new one/);
    assert.match(words(400, "SELF_REFERRAL"), /own code/);
    assert.match(words(409, "ALREADY_BOUND"), /only once/);
    assert.match(words(409, "BIND_WINDOW_CLOSED"), /14 days/);
    assert.match(words(403, "FORBIDDEN"), /Forbidden.*another link/);
  });
});
