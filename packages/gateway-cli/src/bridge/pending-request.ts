import type { JsonObject } from '@gateway/call-contract';
import { answeredId } from './gateway-message.ts';
import { isModern, type ClientMessage, type ClientRequest, type RpcId } from './client-message.ts';

/** A request, or a batch of them, until its end. */
export class PendingRequest {
  readonly line: string;
  /** The request; `undefined` for a batch. */
  readonly request: ClientRequest | undefined;
  readonly isModern: boolean;
  /** The ids without an answer. */
  readonly open: Set<RpcId>;
  /** The client has cancelled a request of the 2025 revisions, which gets no answer. */
  isCancelled = false;
  readonly #ending = new AbortController();

  constructor(message: Extract<ClientMessage, { kind: 'request' | 'batch' }>) {
    this.line = message.line;
    this.request = message.kind === 'request' ? message : undefined;
    this.isModern = this.request !== undefined && isModern(this.request);
    this.open = new Set(message.kind === 'request' ? [message.id] : message.ids);
  }

  get method(): string | undefined {
    return this.request?.method;
  }

  /** Aborted when the client does not wait for the answer. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Nothing is to be answered any more. */
  isOver(): boolean {
    return this.open.size === 0 || this.isCancelled || this.#ending.signal.aborted;
  }

  /** Records a message of the gateway. Returns `true` for the answer to this request. */
  take(message: JsonObject): boolean {
    const id = answeredId(message);
    return id !== undefined && this.open.delete(id);
  }

  /** Ends the request without an answer. */
  end(): void {
    this.#ending.abort();
  }
}
