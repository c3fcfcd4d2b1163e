import {
  type AskOptions,
  type Caller,
  type ClientAnswer,
  type ClientRequest,
  isJsonObject,
  type JsonObject,
  type NotificationChannel,
  type OpenedChannel,
  type ProgressReport,
  RPC_CODE,
} from '@gateway/call-contract';
import { ProtocolError } from '@modelcontextprotocol/server';
import { noAnswer, unaskable, WITHDRAWN } from '../protocol/client-answers.ts';
import { refuseQuestion } from '../protocol/client-features.ts';
import type { ServerContext } from './connection-sink.ts';
import { isWanted } from '../protocol/log-level.ts';
import type { RunningCall } from '../calls/running-call.ts';
import { withdrawWithCall } from '../calls/withdraw-with-call.ts';

/** The dependencies of {@link ConnectionCaller}. */
export interface ConnectionCallerDependencies {
  readonly call: RunningCall;
  readonly context: ServerContext;
  /** Equal for all calls of the connection. */
  readonly identity: unknown;
  readonly client: string;
  readonly capabilities: () => JsonObject;
  readonly logLevel: () => string | undefined;
  readonly questionTimeoutMs: number;
  readonly openChannel: (name: string) => NotificationChannel;
}

/** A schema that accepts every result: the service that has asked validates it. */
const ANY_RESULT = {
  '~standard': {
    version: 1,
    vendor: 'mcp-http',
    validate: (value: unknown) => ({ value: value as JsonObject }),
  },
} as const;

/** The caller of a 2025-era call on the SDK's object: asked by the object's own requests. */
export class ConnectionCaller implements Caller {
  readonly takesInputRequired = false;
  readonly #dependencies: ConnectionCallerDependencies;

  constructor(dependencies: ConnectionCallerDependencies) {
    this.#dependencies = dependencies;
  }

  get capabilities(): JsonObject {
    return this.#dependencies.capabilities();
  }

  get logLevel(): string | undefined {
    return this.#dependencies.logLevel();
  }

  get identity(): unknown {
    return this.#dependencies.identity;
  }

  get client(): string {
    return this.#dependencies.client;
  }

  ask(question: ClientRequest, options: AskOptions = {}): Promise<ClientAnswer> {
    const refused = refuseQuestion(this.capabilities, question);
    if (refused !== undefined) return Promise.resolve(unaskable(refused));
    const isLate = this.#dependencies.call.isOver || options.signal?.aborted === true;
    return isLate ? Promise.resolve(WITHDRAWN) : this.#send(question, options);
  }

  async #send(
    { method, params }: ClientRequest,
    { signal, onProgress }: AskOptions,
  ): Promise<ClientAnswer> {
    const { call, context, questionTimeoutMs } = this.#dependencies;
    const withdrawal = new AbortController();
    const withdraw = (): void => withdrawal.abort();
    const unlink = withdrawWithCall(call, withdraw);
    signal?.addEventListener('abort', withdraw);
    try {
      const result = await context.mcpReq.send({ method, params: { ...params } }, ANY_RESULT, {
        signal: withdrawal.signal,
        timeout: questionTimeoutMs,
        ...(onProgress !== undefined && {
          onprogress: (progress) => onProgress(progress as ProgressReport),
        }),
      });
      return isJsonObject(result) ? { ok: true, result } : NO_RESULT;
    } catch (error) {
      return withdrawal.signal.aborted ? WITHDRAWN : failedAnswer(error);
    } finally {
      unlink();
      signal?.removeEventListener('abort', withdraw);
    }
  }

  notify(notification: ClientRequest): void {
    const { call } = this.#dependencies;
    if (isWanted(this.logLevel, notification)) {
      call.notify(notification.method, notification.params);
    }
  }

  openNotificationChannel(name: string): Promise<OpenedChannel> {
    return Promise.resolve({ ok: true, channel: this.#dependencies.openChannel(name) });
  }
}

const NO_RESULT = noAnswer(
  RPC_CODE.internal,
  'The client has answered with something else than a result',
);

const failedAnswer = (error: unknown): ClientAnswer => {
  if (!(error instanceof ProtocolError)) {
    const message = error instanceof Error ? error.message : 'The client has not answered';
    return noAnswer(RPC_CODE.transport, message);
  }
  const { code, message, data } = error;
  return { ok: false, error: { code, message, ...(data !== undefined && { data }) } };
};
