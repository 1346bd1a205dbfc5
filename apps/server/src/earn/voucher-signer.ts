import { type EarnDomain, earnDomain, type SubscribeVoucher } from "@bourse/contracts";
import secp256k1 from "secp256k1";
import { type Address, domainSeparator, type Hex, keccak256, stringToBytes } from "viem";
import { privateKeyToAddress } from "viem/accounts";

export interface SignedVoucher {
  /** The digest that the contract stores, so that a voucher is used once. */
  readonly digest: Hex;
  readonly signature: Hex;
}

export interface VoucherSigner {
  /** The signer's address. */
  readonly address: Address;
  readonly domain: EarnDomain;
  sign(voucher: SubscribeVoucher): SignedVoucher;
}

const TYPE = "Subscribe(address user,uint256 productId,uint256 amount,uint256 deadline)";
const WORD_bytes = 32;
/** The offset of a 20-byte address in its 32-byte word. */
const ADDRESS_START = 12;
const FIRST_V = 27;

function writeWord(target: Buffer, place: number, value: bigint): void {
  const hex = value.toString(16).padStart(2 * WORD_bytes, "0");
  if (value < 0n || hex.length > 2 * WORD_bytes) throw new RangeError("the value does not fit 256 bits");
  target.write(hex, place * WORD_bytes, "hex");
}

/**
 * ERN-5: signs vouchers as any EIP-712 library does. The domain and the type, which are the same for all vouchers, are hashed once.
 * The curve comes from a native library, which falls back to JavaScript if it cannot be loaded. Signatures are deterministic and
 * have the lower of the two possible values of s.
 */
export function createVoucherSigner(options: {
  readonly chainId: number;
  readonly earn: Address;
  readonly key: Hex;
}): VoucherSigner {
  const domain = earnDomain(options.chainId, options.earn);
  const privateKey = Buffer.from(options.key.slice(2), "hex");
  const typeHash = Buffer.from(keccak256(stringToBytes(TYPE), "bytes"));
  const separator = Buffer.from(domainSeparator({ domain }).slice(2), "hex");
  const prefix = Buffer.concat([Buffer.from([0x19, 0x01]), separator]);

  function digestOf({ user, productId, amount, deadline }: SubscribeVoucher): Uint8Array {
    const struct = Buffer.alloc(5 * WORD_bytes);
    typeHash.copy(struct);
    struct.write(user.slice(2), WORD_bytes + ADDRESS_START, "hex");
    writeWord(struct, 2, productId);
    writeWord(struct, 3, amount);
    writeWord(struct, 4, deadline);
    return keccak256(Buffer.concat([prefix, keccak256(struct, "bytes")]), "bytes");
  }

  return {
    address: privateKeyToAddress(options.key),
    domain,
    sign(voucher) {
      const digest = digestOf(voucher);
      const { signature, recid } = secp256k1.ecdsaSign(digest, privateKey);
      const v = (FIRST_V + recid).toString(16);
      return {
        digest: `0x${Buffer.from(digest).toString("hex")}`,
        signature: `0x${Buffer.from(signature).toString("hex")}${v}`,
      };
    },
  };
}
