export { ByteReader } from "./byte-reader.ts";
export { ByteWriter } from "./byte-writer.ts";
export { CodecFault } from "./codec-fault.ts";
export {
  decodeCommand,
  disclosureLength,
  encodeCommand,
  hasDisclosure,
  PLAIN_VERSION,
  STAMPED_VERSION,
} from "./command-codec.ts";
export { COMMAND_KINDS } from "./command-fields.ts";
export { compiled } from "./compiled.ts";
export { nameForm, partForm, type ValueForm } from "./field-table.ts";
