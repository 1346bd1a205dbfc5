import { createRequire } from "node:module";
import { type Hex, parseAbi } from "viem";

const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
contract Probe {
  error TooEarly(uint256 time, uint256 due);
  event Noted(address indexed who, uint256 value);
  uint256 public noted;
  function note(uint256 value) external { noted = value; emit Noted(msg.sender, value); }
  function noteMany(uint256 count) external { for (uint256 i = 0; i < count; ++i) emit Noted(msg.sender, i); }
  function noteAfter(uint256 due) external {
    if (block.timestamp < due) revert TooEarly(block.timestamp, due);
    noted = block.timestamp;
  }
  function time() external view returns (uint256) { return block.timestamp; }
}`;

export const probeAbi = parseAbi([
  "error TooEarly(uint256 time, uint256 due)",
  "event Noted(address indexed who, uint256 value)",
  "function noted() view returns (uint256)",
  "function note(uint256 value)",
  "function noteMany(uint256 count)",
  "function noteAfter(uint256 due)",
  "function time() view returns (uint256)",
]);

/** A contract that stores, spends gas and reverts, for tests of the chain. */
export function compileProbe(): Hex {
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const settings = { evmVersion: "cancun", outputSelection: { "*": { "*": ["evm.bytecode.object"] } } };
  const input = { language: "Solidity", sources: { "Probe.sol": { content: SOURCE } }, settings };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  return `0x${contracts["Probe.sol"].Probe.evm.bytecode.object}`;
}
