import "../../testing/dom.ts";

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fireEvent, render, screen } from "@testing-library/react";
import { Button, IconButton } from "./button.tsx";

describe("Button", () => {
  it("is pressed once, and not at all while something is under way", () => {
    let presses = 0;
    const press = () => {
      presses += 1;
    };
    const { rerender } = render(<Button onClick={press}>Withdraw 20 USDT</Button>);
    const button = screen.getByRole("button", { name: "Withdraw 20 USDT" });
    fireEvent.click(button);
    assert.equal(presses, 1);
    assert.equal(button.getAttribute("aria-busy"), "false");

    rerender(
      <Button onClick={press} isBusy>
        Withdraw 20 USDT
      </Button>,
    );
    fireEvent.click(button);
    assert.equal(presses, 1);
    assert.equal(button.getAttribute("aria-busy"), "true");
    assert.ok(screen.getByRole("button", { name: "Withdraw 20 USDT" }).hasAttribute("disabled"));
  });

  it("submits no form unless it says so", () => {
    render(<Button>Cancel</Button>);
    assert.equal(screen.getByRole("button").getAttribute("type"), "button");
  });
});

describe("IconButton", () => {
  it("has a name for those who cannot see the icon", () => {
    render(<IconButton label="Copy" icon={<svg aria-hidden="true" />} />);
    assert.equal(screen.getByRole("button", { name: "Copy" }).title, "Copy");
  });
});
