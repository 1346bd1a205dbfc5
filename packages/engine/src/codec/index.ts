export { ByteReader } from "./byte-reader.ts";
export { ByteWriter } from "./byte-writer.ts";
export { CodecFault } from "./codec-fault.ts";
export { CODEC_VERSION, COMMAND_KINDS, decodeCommand, encodeCommand } from "./command-codec.ts";
