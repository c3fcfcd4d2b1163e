import { isJsonObject } from '@gateway/call-contract';
import { refuseWithoutEvents } from '../wire/content-negotiation.ts';
import { answerEmpty } from '../wire/answer.ts';
import { endWithCredentials } from '../wire/expiry.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import { isPrincipal } from '../peers/relays.ts';
import { idOf } from '../protocol/json-rpc.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { scopeHeaderReader, scopeHeadersOf } from '../protocol/scope-headers.ts';
import type { StreamLimits } from '../sessions/stream-limits.ts';
import { SseMessages, type SseMessagesDependencies } from './sse-messages.ts';
import { MESSAGES_PATH, ownerOfStream, SseStream } from './sse-stream.ts';

/** The collaborators of {@link LegacySse}. */
export interface LegacySseDependencies extends SseMessagesDependencies {
  readonly streams: StreamLimits;
}

const SSE_PATH = '/sse';

/** The paths of the transport. */
export const LEGACY_SSE_PATHS = [SSE_PATH, MESSAGES_PATH] as const;

const NOT_FOUND: Refusal = { code: 'session-not-found' };

/** The transport of 2024-11-05 for clients that know no other: one stream for each client, and messages that are posted separately. */
export class LegacySse {
  readonly #dependencies: LegacySseDependencies;
  readonly #messages: SseMessages;
  /** Open streams by id; `StreamLimits` bounds their number. */
  readonly #open = new Map<string, SseStream>();

  constructor(dependencies: LegacySseDependencies) {
    this.#dependencies = dependencies;
    this.#messages = new SseMessages(dependencies);
    dependencies.clients.links.relays.on('sse', (body, sink) => {
      const { stream: id, scope, principal, caller, message } = body;
      const stream = this.#open.get(String(id));
      const header = scopeHeaderReader(scope);
      if (stream === undefined || header === undefined) return false;
      if (!isPrincipal(principal) || typeof caller !== 'string') return false;
      const refusal = this.#messages.take(stream, { principal, caller, header }, message);
      sink.settle({ message: JSON.stringify({ refusal }), status: 202 });
      return true;
    });
  }

  /** Returns the refusal of a method that a path of the transport does not serve. */
  refuseMethod({ request }: HttpExchange): Refusal | undefined {
    const path = pathOf(request.url);
    const allow = path === SSE_PATH ? 'GET' : path === MESSAGES_PATH ? 'POST' : undefined;
    if (allow === undefined || request.method === allow) return undefined;
    return { code: 'method-not-allowed', allow };
  }

  /** Opens the stream of a client. Returns `false` for a request of another path. */
  open(http: HttpExchange): boolean {
    if (pathOf(http.request.url) !== SSE_PATH) return false;
    const { streams, service, clients } = this.#dependencies;
    const { principal, header, response } = http;
    const error = service.refuseHeaders?.({ principal, header, sessionId: undefined });
    const refusal: Refusal | undefined =
      refuseWithoutEvents(http.accepted) ??
      (error && { code: 'protocol-error', status: 400, error }) ??
      streams.admit(http);
    if (refusal !== undefined) {
      http.refuse(refusal);
      return true;
    }
    endWithCredentials(http);
    const stream = new SseStream(http, clients.links.bus.self, this.#dependencies);
    this.#open.set(stream.id, stream);
    response.once('close', () => this.#close(stream));
    return true;
  }

  /** Serves a posted message. Returns `false` for a request of another path. */
  take(http: HttpExchange, body: unknown): boolean {
    const { url = '' } = http.request;
    if (pathOf(url) !== MESSAGES_PATH) return false;
    const id = new URLSearchParams(url.slice(MESSAGES_PATH.length)).get('sessionId') ?? '';
    const stream = this.#open.get(id);
    if (stream === undefined) this.#relay(http, id, body);
    else settle(http, body, this.#messages.take(stream, http, body));
    return true;
  }

  /** Ends each stream after the answers that it still has to carry. */
  drain(): void {
    for (const stream of [...this.#open.values()]) {
      stream.announceStop();
      stream.end();
    }
  }

  #close(stream: SseStream): void {
    this.#open.delete(stream.id);
    const { sessions, clients } = this.#dependencies;
    const { session } = stream;
    if (session !== undefined && sessions.peek(session.id) === session) {
      void clients.endSession(session);
    }
  }

  /** Hands a message to the process that has the stream. */
  #relay(http: HttpExchange, stream: string, message: unknown): void {
    const { clients, service } = this.#dependencies;
    const { bus, relays } = clients.links;
    const { principal, caller } = http;
    const lost = (): void => {
      if (!http.response.destroyed) http.refuse(NOT_FOUND, idOf(message));
    };
    const owner = ownerOfStream(stream);
    if (owner === undefined || owner === bus.self) {
      lost();
      return;
    }
    const scope = scopeHeadersOf(service, http.header);
    const cut = relays.open(
      owner,
      'sse',
      { stream, scope, principal, caller, message },
      {
        onTaken: () => undefined,
        onEvent: () => undefined,
        onEnd: ({ message: answer }) => settle(http, message, refusalOf(answer)),
        onLost: lost,
      },
    );
    http.response.once('close', cut);
  }
}

const pathOf = (url = ''): string => url.split('?', 1)[0] ?? '';

/** Answers a `POST`: the message is served, or refused. */
const settle = (http: HttpExchange, body: unknown, refusal: Refusal | undefined): void => {
  if (http.response.destroyed) return;
  if (refusal === undefined) answerEmpty(http.response, 202);
  else http.refuse(refusal, idOf(body));
};

/** The refusal that another process of this endpoint has sent; a process that ended has sent none. */
const refusalOf = (answer: unknown): Refusal | undefined => {
  try {
    const parsed: unknown = JSON.parse(String(answer));
    return isJsonObject(parsed) ? (parsed['refusal'] as Refusal | undefined) : NOT_FOUND;
  } catch {
    return NOT_FOUND;
  }
};
