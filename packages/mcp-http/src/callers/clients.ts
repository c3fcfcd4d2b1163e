import { type Caller, isJsonObject, type RpcError } from '@gateway/call-contract';
import { randomBytes } from 'node:crypto';
import type { JSONRPCNotification } from '@modelcontextprotocol/server';
import { callerOf } from './callers.ts';
import type { SettledResponse } from '../protocol/response-sink.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import { isNotification, isRequest } from '../protocol/legacy-message.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { ListWatch, watchableLists } from '../changes/list-watch.ts';
import { ListenStreams } from '../changes/listen-streams.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import { PeerBus } from '../peers/peer-bus.ts';
import type { Peers } from '../peers/peers.ts';
import { resultStamp } from '../protocol/protocol-results.ts';
import { Questions } from './questions.ts';
import { Relays } from '../peers/relays.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import { SessionEnds } from './session-ends.ts';
import type { SessionRequest } from '../sessions/session-scope.ts';
import type { SharedSessions } from '../sessions/shared-sessions.ts';
import { RequestStates } from '../calls/request-state.ts';
import type { ResumableStream } from '../sessions/resumable-stream.ts';
import { RetriedCalls } from '../calls/retried-calls.ts';
import type { RunningCall } from '../calls/running-call.ts';
import type { RunningCalls } from '../calls/running-calls.ts';
import { ChannelOpener } from '../sessions/channel-opener.ts';
import { SessionChannels } from '../sessions/session-channels.ts';
import { SessionMethods } from '../sessions/session-methods.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Session } from '../sessions/session.ts';
import { LISTEN_METHOD } from '../protocol/service-methods.ts';
import { SessionStreams, type StreamStart } from '../sessions/session-streams.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import type { StreamLimits } from '../sessions/stream-limits.ts';
import { StreamRequests } from '../sessions/stream-requests.ts';
import { SuspendedCalls } from '../calls/suspended-calls.ts';

/** The dependencies of {@link Clients}. */
export interface ClientsDependencies {
  readonly service: McpService;
  readonly sessions: SessionStore;
  readonly calls: RunningCalls;
  readonly limits: McpHttpLimits;
  readonly streams: StreamLimits;
  readonly unread: UnreadAnswers;
  readonly onError: (error: unknown) => void;
  /** Secret that the processes of one endpoint share; random where it is not given. */
  readonly key?: Uint8Array;
  readonly peers?: Peers | undefined;
  /** The sessions in a store that other processes use too. */
  readonly shared?: SharedSessions;
}

/** The collaborators of {@link Clients} that other transports share. */
export interface ClientLinks {
  readonly bus: PeerBus;
  readonly relays: Relays;
  readonly channels: SessionChannels;
}

/** First revision whose clients resume a stream that they have lost. */
const FIRST_RESUMING_REVISION = '2025-11-25';

/** The state of an endpoint about its clients beyond single requests: messages of sessions, questions to clients, streams. */
export class Clients {
  readonly #dependencies: ClientsDependencies;
  /** How other transports of the endpoint reach its other processes and the streams of its sessions. */
  readonly links: ClientLinks;
  readonly #bus: PeerBus;
  readonly #relays: Relays;
  readonly #questions: Questions;
  readonly #suspended: SuspendedCalls;
  readonly #retried: RetriedCalls;
  readonly #listens: ListenStreams;
  readonly #methods: SessionMethods;
  readonly #streams: StreamRequests;
  readonly #channels: ChannelOpener;
  readonly #ends: SessionEnds;
  readonly #logBudget = { bytes: 0 };

  constructor(dependencies: ClientsDependencies) {
    const { service, limits, calls, onError } = dependencies;
    this.#dependencies = dependencies;
    const bus = new PeerBus(dependencies.peers);
    const relays = new Relays(bus, limits);
    const states = new RequestStates(dependencies.key ?? randomBytes(32));
    const stamp = resultStamp(service);
    const watch = new ListWatch(service, onError);
    const channels = new SessionChannels({
      ...dependencies,
      bus,
      watch,
      kinds: () => watchableLists(service),
      startResumable: (...args) => this.startResumable(...args),
      onOpened: (...args) => void this.#methods.restore(...args),
    });
    const { sessions, shared } = dependencies;
    this.links = { bus, relays, channels };
    this.#bus = bus;
    this.#relays = relays;
    this.#questions = new Questions(bus, limits);
    this.#suspended = new SuspendedCalls({ self: bus.self, states, calls, stamp, limits });
    this.#retried = new RetriedCalls({ bus, relays, states, suspended: this.#suspended });
    this.#listens = new ListenStreams({ service, watch, stamp, limits });
    this.#methods = new SessionMethods({ ...dependencies, channels, bus, shared });
    this.#ends = new SessionEnds({ sessions, shared, bus, limits });
    this.#streams = new StreamRequests({ ...dependencies, channels, relays, bus });
    this.#channels = new ChannelOpener({ sessions, channels, bus });
    this.#listenToPeers();
  }

  /** Returns the caller of a running call; called once per call, when the service first reads it. */
  callerOf(call: RunningCall): Caller {
    const dependencies = {
      questions: this.#questions,
      suspended: this.#suspended,
      channels: this.#channels,
      hasLogging: this.#dependencies.service.capabilities.logging !== undefined,
    };
    return callerOf(dependencies, call);
  }

  /** Answers a method that belongs to a client's session or streams. Returns `undefined` for any other method. */
  answer(scoped: SessionRequest): SettledResponse | Promise<SettledResponse> | undefined {
    if (scoped.scope.era === 'legacy') return this.#methods.answer(scoped);
    return scoped.request.method === LISTEN_METHOD ? this.#listens.answer(scoped) : undefined;
  }

  /** Returns whether a request is the retry of a call that this endpoint suspended. */
  isRetry({ scope }: SessionRequest, requestState: string): boolean {
    return scope.era === 'modern' && this.#retried.isOwn(requestState);
  }

  /** Resumes a call that waits for its caller's answers; the caller has checked that the headers of the request admit the call. */
  resume(scoped: SessionRequest, requestState: string): void {
    this.#retried.resume(scoped, requestState);
  }

  /** Returns why posted answers to questions are refused; `undefined` for valid ones, and when there is none. */
  refuseAnswers(
    session: Session | undefined,
    { principal, header }: Pick<HttpExchange, 'principal' | 'header'>,
    messages: readonly unknown[],
  ): Refusal | undefined {
    const hasAnswer = messages.some((message) => !isRequest(message) && !isNotification(message));
    if (session === undefined || !hasAnswer) return undefined;
    const context = { principal, sessionId: session.id, header };
    const error = this.#dependencies.service.refuseHeaders?.(context);
    return error && { code: 'protocol-error', status: 400, error };
  }

  /** Receives a notification or a response that a client posted. */
  receive(session: Session | undefined, message: unknown): void {
    if (session === undefined || !isJsonObject(message)) return;
    if (!isNotification(message)) this.#questions.receive(session, message);
    else if (!this.#receiveNotification(session.id, message)) {
      this.#bus.send('notified', { session: session.id, message });
    }
  }

  /** Opens a stream of a session, or resumes one that its client has lost. */
  openStream(http: HttpExchange, session: Session): void {
    this.#streams.open(http, session);
  }

  /** Starts a stream that its client can resume. Returns `undefined` when the client does not announce that it resumes streams. */
  startResumable(
    session: Session,
    header: HeaderReader,
    start: StreamStart,
  ): ResumableStream | undefined {
    const lines = header('mcp-protocol-version');
    if (lines === undefined || (lines[0] ?? '') < FIRST_RESUMING_REVISION) return undefined;
    const { limits } = this.#dependencies;
    session.resumable ??= new SessionStreams({
      owner: this.#bus.self,
      budget: this.#logBudget,
      limits,
    });
    return session.resumable.start(start);
  }

  /** Ends a session at the request of its client, in all processes. A promise resolves when the others know it. */
  endSession(session: Session): Promise<void> | undefined {
    return this.#ends.end(session);
  }

  /** Ends the sessions that are unused in every process. */
  sweep(): void {
    this.#ends.sweep();
  }

  /** Ends all streams; running calls go on. */
  drain(): void {
    for (const session of this.#dependencies.sessions.all()) {
      for (const stream of session.streams ?? []) stream.announceStop();
      for (const channel of [...(session.channels ?? [])]) channel.close();
      for (const stream of session.streams ?? []) stream.end();
    }
    this.#listens.close();
  }

  /** Ends everything that still waits, with an error. */
  close(error: RpcError): void {
    this.#suspended.close(error);
    this.#relays.close();
    this.#bus.close();
  }

  #listenToPeers(): void {
    this.#bus.on('notified', ({ session, message }) => {
      if (isNotification(message)) this.#receiveNotification(String(session), message);
    });
  }

  /** Receives a notification of a session. Returns `false` when it concerns nothing in this process. */
  #receiveNotification(session: string, { method, params }: JSONRPCNotification): boolean {
    if (!isJsonObject(params)) return true;
    if (method === 'notifications/progress') return this.#questions.report(session, params);
    if (method !== 'notifications/cancelled') return true;
    const id = params['requestId'];
    if (typeof id !== 'string' && typeof id !== 'number') return true;
    const call = this.#dependencies.sessions.peek(session)?.calls?.get(id);
    call?.cancel(cancellationReason(params['reason']));
    return call !== undefined;
  }
}

const MAX_REASON_CHARS = 200;

const cancellationReason = (reason: unknown): string =>
  typeof reason === 'string' && reason !== ''
    ? reason.slice(0, MAX_REASON_CHARS)
    : 'The caller has cancelled';
