import {
  ANONYMOUS,
  type AskOptions,
  type Caller,
  type ClientAnswer,
  type ClientRequest,
  type JsonObject,
  NO_SESSION,
  type OpenedChannel,
  type Principal,
  isJsonObject,
} from '@gateway/call-contract';
import type { HeaderReader } from '../protocol/request-headers.ts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
} from '@modelcontextprotocol/server';
import {
  UNSET_LOG_LEVEL,
  clientCapabilities,
  clientFeatures,
  isLogLevel,
  isWanted,
  refuseQuestion,
  unaskable,
} from '../protocol/client-features.ts';
import type { SessionChannels } from '../sessions/session-channels.ts';
import type { Questions } from './questions.ts';
import type { RunningCall } from '../calls/running-call.ts';
import type { SuspendedCalls } from '../calls/suspended-calls.ts';

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
export const sessionClient = (sessionId: string): string => `session:${sessionId}`;

/**
 * Returns the name of the client of a call of 2026-07-28, which has no session: the person who has signed in, and the program that
 * `clientInfo` names. Without a sign-in only callers on this machine have a name, because one address may be that of many persons;
 * callers behind a proxy on this machine have none.
 *
 * @param clientInfo the value of `_meta`, unchecked
 */
export const nameOfClient = (
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

/** Methods whose answer may be `input_required`. MCP 2026-07-28, multi round-trip requests */
const INPUT_METHODS: readonly string[] = ['tools/call', 'resources/read', 'prompts/get'];

/** The caller of a running call, as the service sees it. */
abstract class RunningCaller implements Caller {
  abstract readonly takesInputRequired: boolean;
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

  get person(): string | undefined {
    return this.call.callerKey;
  }

  notify(notification: ClientRequest): void {
    if (isWanted(this.logLevel, notification)) {
      this.call.notify(notification.method, notification.params);
    }
  }

  abstract ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer>;
  abstract openNotificationChannel(name: string): Promise<OpenedChannel>;
}

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

  get capabilities(): JsonObject {
    const { session, scope } = this.call;
    return clientCapabilities(
      session !== undefined && scope.exchange.canStream ? session.features : 0,
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
    return scope.client ?? (session === undefined ? undefined : sessionClient(session.id));
  }

  ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer> {
    const { session } = this.call;
    if (session === undefined) {
      return Promise.resolve(unaskable('A client without a session cannot be asked'));
    }
    const refused = refuseQuestion(clientCapabilities(session.features), question);
    if (refused !== undefined) return Promise.resolve(unaskable(refused));
    return this.#questions.ask({ call: this.call, session }, question, options);
  }

  openNotificationChannel(name: string): Promise<OpenedChannel> {
    return this.#channels.openNamed(this.call.session, name);
  }
}

/** A caller of 2026-07-28: its call waits for it while it is asked. */
export class ModernCaller extends RunningCaller {
  readonly takesInputRequired: boolean;
  readonly #suspended: SuspendedCalls;
  readonly #meta: JsonObject;
  readonly #alone = {};
  #capabilities: JsonObject | undefined;

  constructor(call: RunningCall, hasLogging: boolean, suspended: SuspendedCalls) {
    super(call, hasLogging);
    this.#suspended = suspended;
    this.takesInputRequired = INPUT_METHODS.includes(call.request.method);
    const meta = call.request.params?._meta;
    this.#meta = isJsonObject(meta) ? meta : {};
  }

  get capabilities(): JsonObject {
    if (!this.takesInputRequired) return clientCapabilities(0);
    return (this.#capabilities ??= clientCapabilities(
      clientFeatures(this.#meta[CLIENT_CAPABILITIES_META_KEY]),
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
    return this.call.scope.client ?? nameOfClient(this.call, this.#meta[CLIENT_INFO_META_KEY]);
  }

  ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer> {
    const refused = refuseQuestion(this.capabilities, question);
    if (refused !== undefined) return Promise.resolve(unaskable(refused));
    return this.#suspended.ask(this.call, question, options);
  }

  openNotificationChannel(): Promise<OpenedChannel> {
    return Promise.resolve(NO_SESSION);
  }
}
