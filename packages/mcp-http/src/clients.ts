import type { JSONRPCNotification } from '@modelcontextprotocol/server';
import { noCaller, type Caller } from './caller.ts';
import type { Settled } from './exchange.ts';
import { isJsonObject, type RpcError } from './json-rpc.ts';
import { isNotification } from './legacy-message.ts';
import type { McpHttpLimits } from './limits.ts';
import type { McpService } from './mcp-service.ts';
import type { RunningCall } from './running-call.ts';
import type { ScopedRequest } from './request-scope.ts';
import type { Session, SessionStore } from './session-store.ts';

/** What the endpoint's knowledge of its clients is made of. */
export interface ClientsParts {
  readonly service: McpService;
  readonly sessions: SessionStore;
  readonly limits: McpHttpLimits;
  readonly onError: (error: unknown) => void;
}

/** What an endpoint knows of its clients beyond single requests: their sessions' messages, questions to them, their streams. */
export class Clients {
  readonly #parts: ClientsParts;

  constructor(parts: ClientsParts) {
    this.#parts = parts;
  }

  /** The caller of a running call; asked once per call, when the service first looks at it. */
  callerOf(call: RunningCall): Caller {
    return noCaller(call.session ?? call);
  }

  /** Answers a method that belongs to a client's session or streams; `undefined`: no such method here. */
  answer(_scoped: ScopedRequest): Settled | Promise<Settled> | undefined {
    return undefined;
  }

  /** Continues a call that waits for its caller's answers; `undefined`: the state is not the face's own. */
  resume(_scoped: ScopedRequest, _requestState: string): boolean | undefined {
    return undefined;
  }

  /** Takes a notification or a response that a client posted. */
  receive(session: Session | undefined, message: unknown): void {
    if (isNotification(message)) cancelNamedCall(session, message);
  }

  /** Ends all streams; running calls go on. */
  drain(): void {
    for (const { streams } of this.#parts.sessions.all()) {
      for (const stream of streams) stream.end();
    }
  }

  /** Ends what still waits, with an error. */
  close(_error: RpcError): void {
    // Nothing waits yet.
  }
}

/** Cancels the call that a `notifications/cancelled` of its session names; anything else is none of its business. */
const cancelNamedCall = (
  session: Session | undefined,
  { method, params }: JSONRPCNotification,
): void => {
  if (method !== 'notifications/cancelled' || !isJsonObject(params)) return;
  const id = params['requestId'];
  if (typeof id !== 'string' && typeof id !== 'number') return;
  session?.calls.get(id)?.cancel(cancellationReason(params['reason']));
};

const MAX_REASON_CHARS = 200;

const cancellationReason = (reason: unknown): string =>
  typeof reason === 'string' && reason !== ''
    ? reason.slice(0, MAX_REASON_CHARS)
    : 'The caller has cancelled';
