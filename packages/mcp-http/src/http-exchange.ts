import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AcceptedFramings } from './content-negotiation.ts';
import type { RpcId } from './json-rpc.ts';
import type { Refusal } from './refusal.ts';
import type { HeaderReader } from './request-headers.ts';

/** One HTTP request with what has been learnt of it, and the way to refuse it. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly header: HeaderReader;
  readonly accepted: AcceptedFramings;
  readonly refuse: (refusal: Refusal, id?: RpcId | null) => void;
}
