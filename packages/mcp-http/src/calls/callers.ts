import {
  ANONYMOUS,
  type AskOptions,
  type Caller,
  type ClientAnswer,
  type ClientRequest,
  isJsonObject,
  type JsonObject,
  NO_SESSION,
  type OpenedChannel,
  type Principal,
  RPC_CODE,
} from '@gateway/call-contract';
import {
  formatNotification,
  formatRequest,
  INPUT_METHODS,
  LOG_LEVEL_META_KEY,
} from '@gateway/mcp-wire';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import {
  toClientCapabilities,
  parseClientFeatures,
  isLogLevel,
  isDesired,
  createErrorAnswer,
  validateQuestion,
  createUnsupportedAnswer,
  UNSET_LOG_LEVEL,
  WITHDRAWN,
} from '../protocol/client-features.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { HeaderReader } from '../protocol/client-message.ts';
import type { SessionChannels } from '../sessions/session-channels.ts';
import type { Session } from '../sessions/session-store.ts';
import type { PeerBus } from '../wire/peers.ts';
import type { RunningCall } from './running-call.ts';
import type { SuspendedCalls } from './suspended-calls.ts';

const open = new WeakMap<RunningCall, Set<() => void>>();

/** Withdraws a question at the end of its call, unless the returned function is called before. */
const addQuestion = (call: RunningCall, withdraw: () => void): (() => void) => {
  const questions = open.get(call) ?? new Set();
  open.set(call, questions);
  questions.add(withdraw);
  call.questions ??= {
    onEnd: () => {
      for (const end of [...questions]) end();
      return false;
    },
  };
  return () => questions.delete(withdraw);
};

interface Pending {
  readonly session: string;
  readonly onProgress: AskOptions['onProgress'];
  readonly settle: (answer: ClientAnswer) => void;
}

/** A call with a session whose client can be asked. */
interface Asker {
  readonly call: RunningCall;
  readonly session: Session;
}

const ID = /^([\w-]{1,64}):[\w-]{16}$/;

/**
 * Questions to clients of the 2025 era: JSON-RPC requests on the event stream of the call that they belong to, answered by a `POST`
 * of the same session. Bounded in number and time; the end of the call withdraws them.
 */
export class Questions {
  readonly #bus: PeerBus;
  readonly #limits: McpHttpLimits;
  readonly #pending = new Map<string, Pending>();

  constructor(bus: PeerBus, limits: McpHttpLimits) {
    this.#bus = bus;
    this.#limits = limits;
    bus.on('answered', ({ session, message }) => {
      if (typeof session === 'string' && isJsonObject(message)) this.#take(session, message);
    });
  }

  /** Number of questions that wait for an answer. */
  get size(): number {
    return this.#pending.size;
  }

  /** Asks the client behind a call; never rejects. */
  ask(asker: Asker, question: ClientRequest, options: AskOptions = {}): Promise<ClientAnswer> {
    const { call, session } = asker;
    if (call.isOver || options.signal?.aborted === true) return Promise.resolve(WITHDRAWN);
    const limit = this.#limits.maxQuestionsPerSession;
    if (this.#count(session) >= limit) {
      const text = `Too many questions to this client: the limit of ${limit} is reached`;
      return Promise.resolve(createErrorAnswer(RPC_CODE.transport, text));
    }
    return this.#send(asker, question, options);
  }

  /** Receives a response that a client posted. A response that answers nothing of its own session is ignored. */
  receive(session: Session, message: JsonObject): void {
    const { id } = message;
    const [, owner] = typeof id === 'string' ? (ID.exec(id) ?? []) : [];
    if (owner === undefined) return;
    if (owner === this.#bus.self) this.#take(session.id, message);
    else this.#bus.send('answered', { session: session.id, message }, owner);
  }

  /** Receives a client's progress report about its answer. Returns `false` when it concerns none of these questions. */
  report(session: string, params: JsonObject): boolean {
    const { progressToken, progress } = params;
    const pending =
      typeof progressToken === 'string' ? this.#pending.get(progressToken) : undefined;
    if (pending?.session !== session) return false;
    const { progressToken: _, ...report } = params;
    if (typeof progress === 'number') pending.onProgress?.({ ...report, progress });
    return true;
  }

  #count({ id }: Session): number {
    let count = 0;
    for (const { session } of this.#pending.values()) if (session === id) count += 1;
    return count;
  }

  #send(
    { call, session }: Asker,
    question: ClientRequest,
    options: AskOptions,
  ): Promise<ClientAnswer> {
    const id = `${this.#bus.self}:${randomBytes(12).toString('base64url')}`;
    return new Promise((resolve) => {
      const settle = (answer: ClientAnswer): void => {
        if (!this.#pending.delete(id)) return;
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', withdraw);
        unlink();
        resolve(answer);
      };
      const withdraw = (): void => this.#withdraw(id, call, WITHDRAWN);
      const { questionTimeoutMs } = this.#limits;
      const timer = setTimeout(() => {
        const text = `The client has not answered within ${questionTimeoutMs} ms`;
        this.#withdraw(id, call, createErrorAnswer(RPC_CODE.timeout, text));
      }, questionTimeoutMs);
      timer.unref();
      const { onProgress } = options;
      this.#pending.set(id, { session: session.id, onProgress, settle });
      const unlink = addQuestion(call, withdraw);
      options.signal?.addEventListener('abort', withdraw);
      const wasSent = call.scope.sink.send(
        formatRequest(id, question.method, addProgressToken(question.params, id, onProgress)),
      );
      if (!wasSent) settle(createUnsupportedAnswer('The client reads no event stream'));
    });
  }

  #withdraw(id: string, call: RunningCall, answer: ClientAnswer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const reason = answer.ok ? '' : answer.error.message;
    call.scope.sink.send(formatNotification('notifications/cancelled', { requestId: id, reason }));
    pending.settle(answer);
  }

  #take(session: string, message: JsonObject): void {
    const pending = this.#pending.get(String(message['id']));
    if (pending?.session === session) pending.settle(parseAnswer(message));
  }
}

/** Adds the question's id as its progress token when the server requests progress. */
const addProgressToken = (params: JsonObject, id: string, onProgress: unknown): JsonObject => {
  if (onProgress === undefined) return params;
  const { _meta: meta } = params;
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : {}), progressToken: id } };
};

const parseAnswer = ({ result, error }: JsonObject): ClientAnswer => {
  if (isJsonObject(result)) return { ok: true, result };
  if (isJsonObject(error)) {
    const { code, message, data } = error;
    if (typeof code === 'number' && typeof message === 'string') {
      return { ok: false, error: { code, message, ...(data !== undefined && { data }) } };
    }
  }
  return createErrorAnswer(
    RPC_CODE.internal,
    'The client has answered with something else than a result',
  );
};

/** The facts about a call without a session that name its client. */
interface CallOfClient {
  readonly principal: Principal;
  /** The network of a caller who has not signed in. */
  readonly callerKey: string | undefined;
  readonly header: HeaderReader;
}

/** Maximum length of the name and of the version of a program that is distinguished from others. */
const MAX_CHARS = 256;

/** A loopback address; an IPv6 address is the network of 64 bits that contains it. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|0:0:0:0::\/64)$/;

/** Headers of a proxy, whose address is not that of the caller. RFC 7239, RFC 9110 §7.6.3 */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_CHARS;

/** Returns the name of the client of a session. */
export const formatSessionClient = (sessionId: string): string => `session:${sessionId}`;

/**
 * Returns the name of the client of a call of 2026-07-28, which has no session: the user who has signed in, and the program that
 * `clientInfo` names. Without a sign-in only callers on this machine have a name, because one address may be that of many users;
 * callers behind a proxy on this machine have none.
 *
 * @param clientInfo the value of `_meta`, unchecked
 */
export const formatClientName = (
  { principal, callerKey, header }: CallOfClient,
  clientInfo: unknown,
): string | undefined => {
  if (!isJsonObject(clientInfo)) return undefined;
  const { name, version } = clientInfo;
  if (!isText(name) || !isText(version)) return undefined;
  if (principal.key !== ANONYMOUS.key) return JSON.stringify([principal.key, name, version]);
  const isLocal = callerKey !== undefined && LOOPBACK.test(callerKey);
  const isForwarded = FORWARDING.some((name) => header(name) !== undefined);
  return isLocal && !isForwarded ? JSON.stringify([callerKey, name, version]) : undefined;
};

/** The caller of a running call, as the service sees it. */
abstract class RunningCaller implements Caller {
  abstract readonly takesInputRequired: boolean;
  abstract readonly takesResourceLinks: boolean;
  abstract readonly capabilities: JsonObject;
  abstract readonly logLevel: string | undefined;
  abstract readonly identity: unknown;
  abstract readonly client: string | undefined;
  protected readonly call: RunningCall;
  /** The service declares log messages. */
  protected readonly hasLogging: boolean;

  constructor(call: RunningCall, hasLogging: boolean) {
    this.call = call;
    this.hasLogging = hasLogging;
  }

  get user(): string | undefined {
    return this.call.callerKey;
  }

  notify(notification: ClientRequest): void {
    if (isDesired(this.logLevel, notification)) {
      this.call.notify(notification.method, notification.params);
    }
  }

  abstract ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer>;
  abstract openNotificationChannel(name: string): Promise<OpenedChannel>;
}

/** The first revision with `resource_link` content. */
const RESOURCE_LINK_REVISION = '2025-06-18';

/** A caller of the 2025 era: asked on the stream of its call, when it has a session and reads streams. */
export class SessionCaller extends RunningCaller {
  readonly takesInputRequired = false;
  readonly #questions: Questions;
  readonly #channels: SessionChannels;
  readonly #alone = {};

  constructor(
    call: RunningCall,
    hasLogging: boolean,
    questions: Questions,
    channels: SessionChannels,
  ) {
    super(call, hasLogging);
    this.#questions = questions;
    this.#channels = channels;
  }

  get takesResourceLinks(): boolean {
    return (this.call.session?.revision ?? '') >= RESOURCE_LINK_REVISION;
  }

  get capabilities(): JsonObject {
    const { session, scope } = this.call;
    return toClientCapabilities(
      session !== undefined && scope.sink.canStream ? session.features : 0,
    );
  }

  get logLevel(): string | undefined {
    return this.hasLogging ? (this.call.session?.logLevel ?? UNSET_LOG_LEVEL) : undefined;
  }

  get identity(): unknown {
    const { session, scope } = this.call;
    return session?.id ?? scope.client ?? this.#alone;
  }

  get client(): string | undefined {
    const { session, scope } = this.call;
    return scope.client ?? (session === undefined ? undefined : formatSessionClient(session.id));
  }

  ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer> {
    const { session } = this.call;
    if (session === undefined) {
      return Promise.resolve(createUnsupportedAnswer('A client without a session cannot be asked'));
    }
    const refused = validateQuestion(toClientCapabilities(session.features), question);
    if (refused !== undefined) return Promise.resolve(createUnsupportedAnswer(refused));
    return this.#questions.ask({ call: this.call, session }, question, options);
  }

  openNotificationChannel(name: string): Promise<OpenedChannel> {
    return this.#channels.openNamed(this.call.session, name);
  }
}

/** A caller of 2026-07-28: its call waits for it while it is asked. */
export class ModernCaller extends RunningCaller {
  readonly takesInputRequired: boolean;
  readonly takesResourceLinks = true;
  readonly #suspended: SuspendedCalls;
  readonly #meta: JsonObject;
  readonly #alone = {};
  #capabilities: JsonObject | undefined;

  constructor(call: RunningCall, hasLogging: boolean, suspended: SuspendedCalls) {
    super(call, hasLogging);
    this.#suspended = suspended;
    this.takesInputRequired = INPUT_METHODS.has(call.request.method);
    const meta = call.request.params?._meta;
    this.#meta = isJsonObject(meta) ? meta : {};
  }

  get capabilities(): JsonObject {
    if (!this.takesInputRequired) return toClientCapabilities(0);
    return (this.#capabilities ??= toClientCapabilities(
      parseClientFeatures(this.#meta[CLIENT_CAPABILITIES_META_KEY]),
    ));
  }

  get logLevel(): string | undefined {
    const level = this.#meta[LOG_LEVEL_META_KEY];
    return this.hasLogging && isLogLevel(level) ? level : undefined;
  }

  get identity(): unknown {
    return this.#alone;
  }

  get client(): string | undefined {
    return this.call.scope.client ?? formatClientName(this.call, this.#meta[CLIENT_INFO_META_KEY]);
  }

  ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer> {
    const refused = validateQuestion(this.capabilities, question);
    if (refused !== undefined) return Promise.resolve(createUnsupportedAnswer(refused));
    return this.#suspended.ask(this.call, question, options);
  }

  openNotificationChannel(): Promise<OpenedChannel> {
    return Promise.resolve(NO_SESSION);
  }
}
