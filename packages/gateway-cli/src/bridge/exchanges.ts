import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { changeMembers } from '@gateway/mcp-wire';
import { discard, readBody, readStream } from './answer-body.ts';
import { bridgeFailureText, type BridgeFailure } from './bridge-failure.ts';
import type { Answer, Endpoint, Sent } from './endpoint.ts';
import { gatewayMessage } from './gateway-message.ts';
import { isResult, type LegacySession, type LegacySessionDependencies } from './legacy-session.ts';
import { MirroredArguments } from './mirrored-arguments.ts';
import { Waits } from './patience.ts';
import type { PendingRequest } from './pending-request.ts';

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** A session may end again before the request reaches the next one. */
const MAX_RENEWALS = 2;

/** Returns the failure of an answer that is no message. */
const failureOfStatus = (status: number): BridgeFailure => {
  switch (status) {
    case UNAUTHORIZED:
      return { code: 'unauthorized' };
    case FORBIDDEN:
      return { code: 'refused', status };
    case NOT_FOUND:
      return { code: 'no-endpoint' };
    default:
      return { code: 'not-mcp', status };
  }
};

/** Sends the requests of the client and writes their answers. */
export class Exchanges {
  readonly #dependencies: LegacySessionDependencies;
  readonly #endpoint: Endpoint;
  readonly #session: LegacySession;
  readonly #mirrored = new MirroredArguments();

  constructor(session: LegacySession, dependencies: LegacySessionDependencies) {
    this.#session = session;
    this.#dependencies = dependencies;
    this.#endpoint = dependencies.endpoint;
  }

  /** Sends a request and writes its answer, or an error in its place; never rejects. */
  async run(pending: PendingRequest): Promise<void> {
    const failure = await this.#answered(pending);
    if (failure === undefined || pending.isOver()) return;
    const text = bridgeFailureText(failure, this.#endpoint.url);
    for (const id of pending.open) await this.#dependencies.output.fail(id, text);
  }

  /** Sends a request; a gateway that is being restarted gets it later. */
  async send(pending: PendingRequest, waits: Waits): Promise<Sent> {
    for (;;) {
      const sent = await this.#post(pending);
      if (sent.ok || pending.isOver() || waits.isOver) return sent;
      if (!mayRepeat(sent.failure, pending)) return sent;
      await waits.wait(pending.signal);
    }
  }

  /** Writes an answer that is one message. */
  async deliver(pending: PendingRequest, answer: Answer): Promise<BridgeFailure | undefined> {
    if (!answer.isJson || answer.status === UNAUTHORIZED) {
      discard(answer);
      return failureOfStatus(answer.status);
    }
    const body = await readBody(answer);
    if (!body.ok) return body.failure;
    if (pending.request === undefined && body.text.trimStart().startsWith('[')) {
      pending.open.clear();
      await this.#dependencies.output.write(body.text);
      return undefined;
    }
    const message = gatewayMessage(body.text);
    if (message === undefined) return failureOfStatus(answer.status);
    await this.#write(pending, { message, text: body.text, answer });
    return undefined;
  }

  #post(pending: PendingRequest): Promise<Sent> {
    const { line, request, signal } = pending;
    const isCall = pending.isModern && request?.method === 'tools/call';
    const extra = isCall ? this.#mirrored.headersOf(request.params) : undefined;
    return this.#endpoint.post(line, { ...request, extra }, signal);
  }

  async #answered(pending: PendingRequest): Promise<BridgeFailure | undefined> {
    const waits = new Waits(this.#dependencies.patience);
    for (let renewals = 0; ; renewals += 1) {
      const { id } = this.#session;
      const sent = await this.send(pending, waits);
      if (!sent.ok) return sent.failure;
      const { answer } = sent;
      if (id === undefined || !isSessionLost(pending, answer)) {
        return answer.isStream ? this.#stream(pending, answer) : this.deliver(pending, answer);
      }
      discard(answer);
      if (renewals >= MAX_RENEWALS || !(await this.#session.renew(id)))
        return { code: 'session-ended' };
    }
  }

  async #stream(pending: PendingRequest, first: Answer): Promise<BridgeFailure | undefined> {
    const waits = new Waits(this.#dependencies.patience);
    let answer: Answer | undefined = first;
    let lastEventId: string | undefined;
    let failure: BridgeFailure | undefined;
    while (answer !== undefined) {
      const from: Answer = answer;
      const reason = await readStream(from, {
        onMessage: (text) => this.#take(pending, text, from),
        onId: (id) => {
          lastEventId = id;
        },
      });
      if (pending.isOver()) return undefined;
      failure = reason ?? { code: 'lost', reason: 'the stream ended' };
      answer = await this.#resumed(pending, lastEventId, waits);
    }
    return failure;
  }

  /** Returns the rest of a stream; `undefined` when the gateway does not have it. */
  async #resumed(
    pending: PendingRequest,
    lastEventId: string | undefined,
    waits: Waits,
  ): Promise<Answer | undefined> {
    if (lastEventId === undefined || pending.isModern) return undefined;
    while (!waits.isOver && !pending.isOver()) {
      await waits.wait(pending.signal);
      const sent = await this.#endpoint.listen(lastEventId, pending.signal);
      if (!sent.ok) continue;
      if (sent.answer.isStream) return sent.answer;
      discard(sent.answer);
      return undefined;
    }
    return undefined;
  }

  async #take(pending: PendingRequest, text: string, answer: Answer): Promise<void> {
    const message = gatewayMessage(text);
    if (message === undefined) await this.#dependencies.output.write(text);
    else await this.#write(pending, { message, text, answer });
  }

  async #write(pending: PendingRequest, { message, text, answer }: Received): Promise<void> {
    const { output } = this.#dependencies;
    const isError = Object.hasOwn(message, 'error');
    if (isError && (message['id'] ?? null) === null) {
      // The refusal of a request whose id the gateway has not read.
      for (const id of pending.open)
        await output.write(changeMembers(text, { add: { id: JSON.stringify(id) } }));
      pending.open.clear();
      return;
    }
    if (pending.take(message) && isResult(message)) this.#succeeded(pending, message, answer);
    await output.write(text);
  }

  #succeeded({ request }: PendingRequest, message: JsonObject, answer: Answer): void {
    if (request === undefined) return;
    const { result } = message;
    if (request.method === 'initialize') this.#session.opened(request, result, answer.sessionId);
    else if (request.method === 'tools/list' && isJsonObject(result)) this.#mirrored.take(result);
    else this.#session.succeeded(request);
  }
}

/** A message of the gateway with its text. */
interface Received {
  readonly message: JsonObject;
  readonly text: string;
  readonly answer: Answer;
}

/** A request that was not sent may be sent again, and so may one that changes nothing. */
const mayRepeat = ({ code }: BridgeFailure, { method }: PendingRequest): boolean =>
  code === 'unreachable' || (code === 'lost' && method !== undefined && method !== 'tools/call');

const isSessionLost = (pending: PendingRequest, { status }: Answer): boolean =>
  status === NOT_FOUND && !pending.isModern && pending.method !== 'initialize';
