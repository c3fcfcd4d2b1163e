import {
  type AskOptions,
  type Caller,
  type ClientAnswer,
  type ClientRequest,
  isJsonObject,
  type JsonObject,
  NO_SESSION,
  type OpenedChannel,
} from '@gateway/call-contract';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
} from '@modelcontextprotocol/server';
import { nameOfClient, sessionClient } from './client-name.ts';
import { unaskable } from '../protocol/client-answers.ts';
import { clientCapabilities, clientFeatures, refuseQuestion } from '../protocol/client-features.ts';
import { isLogLevel, isWanted, UNSET_LOG_LEVEL } from '../protocol/log-level.ts';
import type { ChannelOpener } from '../sessions/channel-opener.ts';
import type { Questions } from './questions.ts';
import type { RunningCall } from '../calls/running-call.ts';
import type { SuspendedCalls } from '../calls/suspended-calls.ts';

/** Methods whose answer may be `input_required`. MCP 2026-07-28, multi round-trip requests */
const INPUT_METHODS: readonly string[] = ['tools/call', 'resources/read', 'prompts/get'];

/** The dependencies of the callers of one endpoint. */
export interface CallerDependencies {
  readonly questions: Questions;
  readonly suspended: SuspendedCalls;
  /** Absent where the endpoint has no sessions for callers of the 2025 era. */
  readonly channels?: ChannelOpener;
  /** The name of the only client of a connection. */
  readonly client?: string;
  /** The service declares log messages. */
  readonly hasLogging: boolean;
}

/** The caller of a running call, as the service sees it. */
export const callerOf = (dependencies: CallerDependencies, call: RunningCall): Caller =>
  call.scope.era === 'modern'
    ? new ModernCaller(dependencies, call)
    : new SessionCaller(dependencies, call);

/** A caller of the 2025 era: asked on the stream of its call, when it has a session and reads streams. */
class SessionCaller implements Caller {
  readonly takesInputRequired = false;
  readonly #dependencies: CallerDependencies;
  readonly #call: RunningCall;
  readonly #alone = {};

  constructor(dependencies: CallerDependencies, call: RunningCall) {
    this.#dependencies = dependencies;
    this.#call = call;
  }

  get capabilities(): JsonObject {
    const { session, scope } = this.#call;
    return clientCapabilities(
      session !== undefined && scope.exchange.canStream ? session.features : 0,
    );
  }

  get logLevel(): string | undefined {
    if (!this.#dependencies.hasLogging) return undefined;
    return this.#call.session?.logLevel ?? UNSET_LOG_LEVEL;
  }

  get identity(): unknown {
    return this.#call.sessionId ?? this.#alone;
  }

  get client(): string | undefined {
    const { sessionId } = this.#call;
    return sessionId === undefined ? this.#dependencies.client : sessionClient(sessionId);
  }

  get person(): string | undefined {
    return this.#call.callerKey;
  }

  ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer> {
    const { session } = this.#call;
    if (session === undefined) {
      return Promise.resolve(unaskable('A client without a session cannot be asked'));
    }
    const refused = refuseQuestion(clientCapabilities(session.features), question);
    if (refused !== undefined) return Promise.resolve(unaskable(refused));
    return this.#dependencies.questions.ask({ call: this.#call, session }, question, options);
  }

  notify(notification: ClientRequest): void {
    if (isWanted(this.logLevel, notification)) {
      this.#call.notify(notification.method, notification.params);
    }
  }

  openNotificationChannel(name: string): Promise<OpenedChannel> {
    const { channels } = this.#dependencies;
    return channels?.open(this.#call.session, name) ?? Promise.resolve(NO_SESSION);
  }
}

/** A caller of 2026-07-28: its call waits for it while it is asked. */
class ModernCaller implements Caller {
  readonly takesInputRequired: boolean;
  readonly #dependencies: CallerDependencies;
  readonly #call: RunningCall;
  readonly #meta: JsonObject;
  readonly #alone = {};
  #capabilities: JsonObject | undefined;

  constructor(dependencies: CallerDependencies, call: RunningCall) {
    this.#dependencies = dependencies;
    this.#call = call;
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
    return this.#dependencies.hasLogging && isLogLevel(level) ? level : undefined;
  }

  get identity(): unknown {
    return this.#alone;
  }

  get client(): string | undefined {
    const { client } = this.#dependencies;
    return client ?? nameOfClient(this.#call, this.#meta[CLIENT_INFO_META_KEY]);
  }

  get person(): string | undefined {
    return this.#call.callerKey;
  }

  ask(question: ClientRequest, options?: AskOptions): Promise<ClientAnswer> {
    const refused = refuseQuestion(this.capabilities, question);
    if (refused !== undefined) return Promise.resolve(unaskable(refused));
    return this.#dependencies.suspended.ask(this.#call, question, options);
  }

  notify(notification: ClientRequest): void {
    if (isWanted(this.logLevel, notification)) {
      this.#call.notify(notification.method, notification.params);
    }
  }

  openNotificationChannel(): Promise<OpenedChannel> {
    return Promise.resolve(NO_SESSION);
  }
}
