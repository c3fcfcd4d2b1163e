/* eslint-disable @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys */
import {
  ANONYMOUS,
  type Caller,
  type JsonObject,
  type NotificationChannel,
} from '@gateway/call-contract';
import { randomBytes } from 'node:crypto';
import {
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCRequest,
  type Server,
} from '@modelcontextprotocol/server';
import { parseCallParams } from '../protocol/call-params.ts';
import { AnswerWriter } from '../callers/answer-writer.ts';
import { callerOf } from '../callers/callers.ts';
import { clientCapabilities, clientFeatures } from '../protocol/client-features.ts';
import { ConnectionCaller } from './connection-caller.ts';
import {
  ConnectionSink,
  protocolError,
  type MessageTexts,
  type ServerContext,
} from './connection-sink.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { UNSET_LOG_LEVEL } from '../protocol/log-level.ts';
import type { CallMethod, McpService } from '../protocol/mcp-service.ts';
import { PeerBus } from '../peers/peer-bus.ts';
import { resultStamp, type Era } from '../protocol/protocol-results.ts';
import { Questions } from '../callers/questions.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import type { SessionRequest } from '../sessions/session-scope.ts';
import { RequestStates } from '../calls/request-state.ts';
import { RunningCall, SHUTTING_DOWN, type CallDependencies } from '../calls/running-call.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import { INTERNAL_ERROR } from '../protocol/responses.ts';
import { NotificationChannels } from '../sessions/notification-channels.ts';
import type { Session } from '../sessions/session.ts';
import { GONE, SuspendedCalls } from '../calls/suspended-calls.ts';

/** The dependencies of {@link ConnectionCalls}. */
export interface ConnectionCallsDependencies {
  readonly service: McpService;
  readonly server: Server;
  readonly limits: McpHttpLimits;
  readonly header: HeaderReader;
  readonly sessionId: string | undefined;
  readonly onError: (error: unknown) => void;
  readonly texts: MessageTexts | undefined;
}

/** One request that the SDK's object hands over. */
export interface Handed {
  readonly request: JSONRPCRequest;
  readonly context: ServerContext;
}

/** The calls of one connection that the SDK's object carries. */
export class ConnectionCalls {
  /** The level of log messages that a 2025-era client has set. */
  logLevel: string | undefined;
  readonly #dependencies: ConnectionCallsDependencies;
  readonly #calls: RunningCalls;
  readonly #states = new RequestStates(randomBytes(32));
  readonly #suspended: SuspendedCalls;
  readonly #questions: Questions;
  readonly #writer: AnswerWriter;
  readonly #session: Session | undefined;
  readonly #channels = new NotificationChannels();
  readonly #callDependencies: CallDependencies;
  readonly #contexts = new WeakMap<RunningCall, ServerContext>();

  constructor(dependencies: ConnectionCallsDependencies) {
    const { service, limits, sessionId: id } = dependencies;
    const bus = new PeerBus();
    const writer = new AnswerWriter(dependencies);
    this.#writer = writer;
    this.#dependencies = dependencies;
    this.#calls = new RunningCalls(limits);
    this.#questions = new Questions(bus, limits);
    this.#suspended = new SuspendedCalls({
      self: bus.self,
      states: this.#states,
      calls: this.#calls,
      stamp: resultStamp(service),
      limits,
    });
    this.#session = id === undefined ? undefined : { id, revision: '', features: 0 };
    this.#callDependencies = {
      callerOf: (call) => this.#callerOf(call),
      onEnd: (call, outcome) => {
        this.#calls.release(call);
        call.scope.exchange.settle(
          outcome.kind === 'cancelled' ? CANCELLED : writer.write(call, outcome.answer),
        );
      },
    };
  }

  /** Serves one call; rejects with the error that its caller receives. */
  call(method: CallMethod, handed: Handed): Promise<JsonObject> {
    const scoped = this.#scoped(handed);
    const parsed = parseCallParams(method, scoped.request.params);
    if (!parsed.ok) throw protocolError(parsed.error);
    const { params, requestState } = parsed.call;
    const { exchange } = scoped.scope;
    if (requestState !== undefined && this.#states.isOwn(requestState)) {
      const { service, header, sessionId } = this.#dependencies;
      const context = { principal: ANONYMOUS, sessionId, header };
      const refused = service.refuseCall?.({ method, params }, context);
      if (refused === undefined) this.#resume(scoped, requestState);
      else exchange.settle(this.#writer.write(scoped, refused));
    } else this.#run(new RunningCall(scoped, parsed.call, this.#callDependencies), params, handed);
    return exchange.result;
  }

  /** Ends all calls. */
  close(): void {
    this.#calls.shutDown();
    this.#suspended.close(SHUTTING_DOWN);
    this.#channels.close();
  }

  #resume(scoped: SessionRequest, requestState: string): void {
    const named = this.#states.read(requestState);
    const error = named === undefined ? GONE : this.#suspended.resume(named.secret, scoped);
    if (error !== undefined) throw protocolError(error);
  }

  #run(call: RunningCall, params: JsonObject, { request, context }: Handed): void {
    const { signal } = context.mcpReq;
    const cancel = (): void => {
      call.cancel(cancelReason(signal));
      this.#dependencies.texts?.respond(request.id, undefined);
    };
    signal.addEventListener('abort', cancel);
    this.#contexts.set(call, context);
    this.#calls.add(call);
    const method = request.method as CallMethod;
    const answered = async (): Promise<void> => {
      const answer = await this.#dependencies.service.call({ method, params }, call);
      call.answer(answer);
    };
    answered().catch((error: unknown) => {
      if (call.isOver) return;
      this.#dependencies.onError(error);
      call.answer({ ok: false, error: INTERNAL_ERROR });
    });
  }

  #callerOf(call: RunningCall): Caller {
    const { service, server, limits } = this.#dependencies;
    const hasLogging = service.capabilities.logging !== undefined;
    const context = this.#contexts.get(call);
    if (call.scope.era === 'modern' || context === undefined) {
      const questions = this.#questions;
      return callerOf(
        { questions, suspended: this.#suspended, hasLogging, client: ONLY_CLIENT },
        call,
      );
    }
    return new ConnectionCaller({
      call,
      context,
      identity: server,
      client: ONLY_CLIENT,
      capabilities: () => clientCapabilities(clientFeatures(server.getClientCapabilities())),
      logLevel: () => (hasLogging ? (this.logLevel ?? UNSET_LOG_LEVEL) : undefined),
      questionTimeoutMs: limits.questionTimeoutMs,
      openChannel: this.#openChannel,
    });
  }

  /** Returns the session of the connection, which always has a stream. */
  readonly #openChannel = (name: string): NotificationChannel =>
    this.#channels.open(name, ({ method, params }) => {
      this.#dependencies.server
        .notification({ method, params: { ...params } })
        .catch(() => undefined);
    });

  /** Returns the request as received: the SDK's object removes the members of 2026-07-28. */
  #scoped({ request, context }: Handed): SessionRequest & {
    readonly scope: { readonly exchange: ConnectionSink };
  } {
    const { texts } = this.#dependencies;
    const { envelope, inputResponses, requestState } = context.mcpReq;
    const state = requestState();
    const params = {
      ...request.params,
      ...(envelope !== undefined && { _meta: { ...request.params?._meta, ...envelope } }),
      ...(inputResponses !== undefined && { inputResponses }),
      ...(state !== undefined && { requestState: state }),
    };
    return {
      request: texts?.received(request.id) ?? { ...request, params },
      scope: {
        era: eraOf({ request, context }),
        principal: ANONYMOUS,
        session: this.#session,
        header: this.#dependencies.header,
        exchange: new ConnectionSink(context, texts),
      },
    };
  }
}

/** Returns the era of a request: the envelope of those of 2026-07-28 names the revision. */
export const eraOf = ({ context: { mcpReq } }: Handed): Era =>
  Object.hasOwn(mcpReq.envelope ?? {}, PROTOCOL_VERSION_META_KEY) ? 'modern' : 'legacy';

/** The name of the client of a connection. */
const ONLY_CLIENT = 'connection';

const cancelReason = ({ reason }: AbortSignal): string =>
  reason instanceof Error ? reason.message : String(reason ?? 'The caller has cancelled');

/** A cancelled call gets no response. */
const CANCELLED = { message: undefined, status: 200 } as const;
