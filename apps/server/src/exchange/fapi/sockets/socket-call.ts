import type { Access, Principal } from "../../../kernel/http/access.ts";
import type { CountedReply, CountName, FapiCall } from "../../../kernel/http/fapi-call.ts";
import { FapiParameters } from "../../../kernel/http/parameters.ts";

const NO_PARAMETERS = new FapiParameters("", "");

/** One request over a socket on its way to an operation, and the counts for its reply. */
export class SocketCall implements FapiCall, CountedReply {
  readonly address: string;
  readonly access: Access | undefined;
  readonly headers: FapiCall["headers"];
  readonly counts = new Map<CountName, number>();
  weighed: FapiCall["weighed"];
  principal: Principal | undefined;
  fapi = NO_PARAMETERS;

  constructor(address: string, access: Access | undefined, apiKey: string | undefined) {
    this.address = address;
    this.access = access;
    this.headers = { "x-mbx-apikey": apiKey };
  }

  header(name: CountName, value: number): void {
    this.counts.set(name, value);
  }
}
