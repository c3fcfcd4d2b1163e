import { formatNotification, formatRequest } from '@gateway/mcp-wire';
import type { RunningCall } from '../calls/running-call.ts';
import {
  type AskOptions,
  type ClientAnswer,
  type ClientRequest,
  type JsonObject,
  RPC_CODE,
  isJsonObject,
} from '@gateway/call-contract';
import { randomBytes } from 'node:crypto';
import { WITHDRAWN, noAnswer, unaskable } from '../protocol/client-features.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import type { Session } from '../sessions/session-store.ts';

/** The open questions of each call. */
const open = new WeakMap<RunningCall, Set<() => void>>();

/** Withdraws a question at the end of its call, unless the returned function is called before. */
const withdrawWithCall = (call: RunningCall, withdraw: () => void): (() => void) => {
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
  readonly #limits: Pick<McpHttpLimits, 'maxQuestionsPerSession' | 'questionTimeoutMs'>;
  readonly #pending = new Map<string, Pending>();

  constructor(
    bus: PeerBus,
    limits: Pick<McpHttpLimits, 'maxQuestionsPerSession' | 'questionTimeoutMs'>,
  ) {
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
    if (this.#countOf(session) >= limit) {
      const text = `Too many questions to this client: the limit of ${limit} is reached`;
      return Promise.resolve(noAnswer(RPC_CODE.transport, text));
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

  #countOf({ id }: Session): number {
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
        this.#withdraw(id, call, noAnswer(RPC_CODE.timeout, text));
      }, questionTimeoutMs);
      timer.unref();
      const { onProgress } = options;
      this.#pending.set(id, { session: session.id, onProgress, settle });
      const unlink = withdrawWithCall(call, withdraw);
      options.signal?.addEventListener('abort', withdraw);
      const wasSent = call.scope.exchange.send(
        formatRequest(id, question.method, withToken(question.params, id, onProgress)),
      );
      if (!wasSent) settle(unaskable('The client reads no event stream'));
    });
  }

  #withdraw(id: string, call: RunningCall, answer: ClientAnswer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const reason = answer.ok ? '' : answer.error.message;
    call.scope.exchange.send(
      formatNotification('notifications/cancelled', { requestId: id, reason }),
    );
    pending.settle(answer);
  }

  #take(session: string, message: JsonObject): void {
    const pending = this.#pending.get(String(message['id']));
    if (pending?.session === session) pending.settle(answerOf(message));
  }
}

/** Adds the question's id as its progress token when the server requests progress. */
const withToken = (params: JsonObject, id: string, onProgress: unknown): JsonObject => {
  if (onProgress === undefined) return params;
  const { _meta: meta } = params;
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : {}), progressToken: id } };
};

const answerOf = ({ result, error }: JsonObject): ClientAnswer => {
  if (isJsonObject(result)) return { ok: true, result };
  if (isJsonObject(error)) {
    const { code, message, data } = error;
    if (typeof code === 'number' && typeof message === 'string') {
      return { ok: false, error: { code, message, ...(data !== undefined && { data }) } };
    }
  }
  return noAnswer(RPC_CODE.internal, 'The client has answered with something else than a result');
};
