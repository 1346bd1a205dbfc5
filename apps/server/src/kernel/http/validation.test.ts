import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Type } from "typebox";
import { compileValidator } from "./validation.ts";

const schema = Type.Object({
  type: Type.Optional(Type.Union([Type.Literal("direct"), Type.Literal("sub_kol")])),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});
const problem = (input: unknown, httpPart = "querystring") => {
  const answer = compileValidator({ schema, httpPart })(input);
  return "error" in answer ? answer.error[0] : undefined;
};

describe("validation by schema", () => {
  it("SEC-9: names all words of which one is wanted", () => {
    assert.deepEqual(problem({ type: "bd" }), { instancePath: "/type", message: "must be direct or sub_kol" });
    assert.equal(problem({ type: "direct" }), undefined);
  });

  it("WIRE-2: reads numbers from a query strictly, and from a body not at all", () => {
    assert.equal(problem({ limit: "5" }), undefined);
    assert.equal(problem({ limit: "5.0" })?.instancePath, "/limit");
    assert.equal(problem({ limit: "0" })?.instancePath, "/limit");
    assert.equal(problem({ limit: "5" }, "body")?.instancePath, "/limit");
  });
});
