import type { Principal } from '@gateway/call-contract';
import { classifyInboundRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { CallAdmission } from '../calls/call-admission.ts';
import type { Clients } from '../callers/clients.ts';
import type { ServiceProtocol } from '../callers/service-protocol.ts';
import { clientFeatures } from '../protocol/client-features.ts';
import { isPlainLegacyBody, isRequest } from '../protocol/legacy-message.ts';
import { dropNullMembers } from '../protocol/null-members.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import { scopeHeadersOf } from '../protocol/scope-headers.ts';
import { isCallMethod } from '../protocol/service-methods.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import { protocolError } from './post-refusals.ts';
import { SseSink } from './sse-sink.ts';
import type { SseStream } from './sse-stream.ts';

/** The collaborators of {@link SseMessages}. */
export interface SseMessagesDependencies {
  readonly service: McpService;
  readonly protocol: ServiceProtocol;
  readonly admission: CallAdmission;
  readonly clients: Clients;
  readonly sessions: SessionStore;
  readonly limits: McpHttpLimits;
  readonly unread: UnreadAnswers;
}

/** The sender of a posted message. */
export interface SseSender {
  readonly principal: Principal;
  /** The key under which it is counted. */
  readonly caller: string;
  readonly header: HeaderReader;
}

const NOT_FOUND: Refusal = { code: 'session-not-found' };

/** Serves the messages that clients post for their streams. */
export class SseMessages {
  readonly #dependencies: SseMessagesDependencies;

  constructor(dependencies: SseMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Serves one message; the stream carries the answer. Returns why the message is refused, in which case nothing has started. */
  take(stream: SseStream, sender: SseSender, body: unknown): Refusal | undefined {
    dropNullMembers(body);
    const refusal = this.#refuse(stream, sender, body);
    if (refusal !== undefined) return refusal;
    if (!isRequest(body)) {
      this.#dependencies.clients.receive(stream.session, body);
      return undefined;
    }
    if (body.method === 'initialize') return this.#initialize(stream, sender, body);
    const exchange = new SseSink(stream, this.#dependencies.unread, body.id);
    const { principal, caller: callerKey } = sender;
    const header = this.#headerOf(stream, sender);
    const scope = { era: 'legacy', principal, callerKey, header, exchange } as const;
    this.#dependencies.protocol.answer({
      request: body,
      scope: { ...scope, session: stream.session },
    });
    return undefined;
  }

  #refuse(stream: SseStream, sender: SseSender, body: unknown): Refusal | undefined {
    return (
      this.#refuseSender(stream, sender) ??
      refuseBody(body) ??
      this.#dependencies.clients.refuseAnswers(
        stream.session,
        { principal: sender.principal, header: this.#headerOf(stream, sender) },
        [body],
      ) ??
      (isRequest(body) && isCallMethod(body.method)
        ? this.#dependencies.admission.refuse(sender.caller, 1)
        : undefined)
    );
  }

  /** The stream of another person does not exist for the sender, and the headers of the `GET` decide what the stream may do. */
  #refuseSender(
    { http, session }: SseStream,
    { principal, header }: SseSender,
  ): Refusal | undefined {
    const { sessions, service } = this.#dependencies;
    if (http.principal.key !== principal.key) return NOT_FOUND;
    // A session that was evicted has lost what it followed.
    if (session !== undefined && sessions.peek(session.id) !== session) return NOT_FOUND;
    if (session !== undefined && sessions.use(session.id) === undefined) return NOT_FOUND;
    const opened = scopeHeadersOf(service, http.header);
    const differs = Object.entries(scopeHeadersOf(service, header)).some(
      ([name, lines]) => JSON.stringify(lines) !== JSON.stringify(opened[name]),
    );
    return differs ? { code: 'stream-headers-differ' } : undefined;
  }

  /** The headers that decide what a request may do are those of the `GET`; the others, such as its trace, are its own. */
  #headerOf({ http }: SseStream, { header }: SseSender): HeaderReader {
    const { scopeHeaders = [] } = this.#dependencies.service;
    return (name) => (scopeHeaders.includes(name) ? http.header(name) : header(name));
  }

  #initialize(
    stream: SseStream,
    { principal }: SseSender,
    request: JSONRPCRequest,
  ): Refusal | undefined {
    if (stream.session !== undefined) return { code: 'initialized-already' };
    const { protocol, sessions, clients, limits, unread } = this.#dependencies;
    const { settled, revision } = protocol.initialize(request);
    if (revision !== undefined) {
      const features = clientFeatures(request.params?.['capabilities']);
      const session = sessions.create(revision, features, principal.key);
      if (session === undefined) return { code: 'sessions-full', limit: limits.maxSessions };
      stream.session = session;
      clients.links.channels.attach(stream.http, session, stream);
    }
    new SseSink(stream, unread, request.id).settle(settled);
    return undefined;
  }
}

const refuseBody = (body: unknown): Refusal | undefined => {
  if (Array.isArray(body)) return { code: 'batch-on-stream' };
  if (isPlainLegacyBody(body)) return undefined;
  const route = classifyInboundRequest({ httpMethod: 'POST', body });
  if (route.kind === 'reject') return protocolError(route.httpStatus, route);
  return route.kind === 'modern' ? { code: 'revision-without-streams' } : undefined;
};
