import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  changeMembers,
  createParamHeaders,
  listMirroredParams,
  LIST_CHANGED,
} from '@gateway/mcp-wire';
import {
  type HttpAnswer,
  type BridgeFailure,
  formatBridgeFailure,
  discard,
  findStatusFailure,
  type Endpoint,
  readBody,
  readStream,
  type Sent,
} from './endpoint.ts';
import { parseGatewayMessage, type PendingRequest } from './messages.ts';
import { isResult, type LegacySession, type BridgeParts, Waits } from './session.ts';

const MAX_TOOLS = 50_000;

/** The arguments that calls of 2026-07-28 repeat in headers, by tool, as far as lists have shown them. MCP 2026-07-28, Streamable HTTP */
class MirroredArguments {
  readonly #byTool = new Map<unknown, ReturnType<typeof listMirroredParams>>();

  take({ tools }: JsonObject): void {
    for (const tool of Array.isArray(tools) ? (tools as readonly unknown[]) : []) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue;
      const { name, inputSchema } = tool;
      this.#byTool.delete(name);
      const mirrored = isJsonObject(inputSchema) ? listMirroredParams(inputSchema) : [];
      if (mirrored.length > 0 && this.#byTool.size < MAX_TOOLS) this.#byTool.set(name, mirrored);
    }
  }

  toHeaders({ name, arguments: args }: JsonObject = {}): Readonly<Record<string, string>> {
    const mirrored = this.#byTool.get(name);
    return mirrored === undefined ? {} : createParamHeaders(mirrored, args);
  }
}

/** A session may end again before the request reaches the next one. */
const MAX_RENEWALS = 2;

const toFailure = ({ status }: HttpAnswer): BridgeFailure =>
  findStatusFailure(status) ?? { code: 'not-mcp', status };

export class Exchanges {
  readonly #parts: BridgeParts;
  readonly #endpoint: Endpoint;
  readonly #session: LegacySession;
  readonly #mirrored = new MirroredArguments();

  constructor(session: LegacySession, parts: BridgeParts) {
    this.#session = session;
    this.#parts = parts;
    this.#endpoint = parts.endpoint;
  }

  /** Sends a request and writes its answer, or an error in its place; never rejects. */
  async run(pending: PendingRequest): Promise<void> {
    const failure = await this.#relayAnswer(pending);
    if (failure === undefined || pending.isOver()) return;
    const text = formatBridgeFailure(failure, this.#endpoint.url);
    for (const id of pending.open) await this.#parts.output.fail(id, text);
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

  async deliver(pending: PendingRequest, answer: HttpAnswer): Promise<BridgeFailure | undefined> {
    if (!answer.isJson || answer.status === 401) {
      discard(answer);
      return toFailure(answer);
    }
    const body = await readBody(answer);
    if (!body.ok) return body.failure;
    if (pending.request === undefined && body.text.trimStart().startsWith('[')) {
      pending.open.clear();
      await this.#parts.output.write(body.text);
      return undefined;
    }
    const message = parseGatewayMessage(body.text);
    if (message === undefined) return toFailure(answer);
    await this.#write(pending, message, body.text, answer);
    return undefined;
  }

  #post(pending: PendingRequest): Promise<Sent> {
    const { line, request, signal } = pending;
    const isCall = pending.isModern && request?.method === 'tools/call';
    const extra = isCall ? this.#mirrored.toHeaders(request.params) : undefined;
    return this.#endpoint.post(line, request ?? {}, signal, extra);
  }

  async #relayAnswer(pending: PendingRequest): Promise<BridgeFailure | undefined> {
    const waits = new Waits(this.#parts.patience);
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

  async #stream(pending: PendingRequest, first: HttpAnswer): Promise<BridgeFailure | undefined> {
    const waits = new Waits(this.#parts.patience);
    let answer: HttpAnswer | undefined = first;
    let lastEventId: string | undefined;
    let failure: BridgeFailure | undefined;
    while (answer !== undefined) {
      const from: HttpAnswer = answer;
      const reason = await readStream(
        from,
        (text) => this.#take(pending, text, from),
        (id) => {
          lastEventId = id;
        },
      );
      if (pending.isOver()) return undefined;
      failure = reason ?? { code: 'lost', reason: 'the stream ended' };
      answer = await this.#resume(pending, lastEventId, waits);
    }
    return failure;
  }

  /** Returns the rest of a stream; `undefined` when the gateway does not have it. */
  async #resume(
    pending: PendingRequest,
    lastEventId: string | undefined,
    waits: Waits,
  ): Promise<HttpAnswer | undefined> {
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

  async #take(pending: PendingRequest, text: string, answer: HttpAnswer): Promise<void> {
    const message = parseGatewayMessage(text);
    if (message === undefined) await this.#parts.output.write(text);
    else await this.#write(pending, message, text, answer);
  }

  async #write(
    pending: PendingRequest,
    message: JsonObject,
    text: string,
    answer: HttpAnswer,
  ): Promise<void> {
    const { output } = this.#parts;
    const isError = Object.hasOwn(message, 'error');
    if (isError && (message['id'] ?? null) === null) {
      // The refusal of a request whose id the gateway has not read.
      for (const id of pending.open)
        await output.write(changeMembers(text, { add: { id: JSON.stringify(id) } }));
      pending.open.clear();
      return;
    }
    if (pending.take(message) && isResult(message)) this.#noteSuccess(pending, message, answer);
    await output.write(text);
  }

  #noteSuccess({ request }: PendingRequest, message: JsonObject, answer: HttpAnswer): void {
    if (request === undefined) return;
    const { result } = message;
    if (request.method === 'initialize')
      this.#session.takeResult(request, result, answer.sessionId);
    else if (request.method === 'tools/list' && isJsonObject(result)) this.#mirrored.take(result);
    else this.#session.rememberRequest(request);
  }
}

/** A request that was not sent may be sent again, and so may one that changes nothing. */
const mayRepeat = ({ code }: BridgeFailure, { method }: PendingRequest): boolean =>
  code === 'unreachable' || (code === 'lost' && method !== undefined && method !== 'tools/call');

const isSessionLost = (pending: PendingRequest, { status }: HttpAnswer): boolean =>
  status === 404 && !pending.isModern && pending.method !== 'initialize';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: LIST_CHANGED.tools,
  resourcesListChanged: LIST_CHANGED.resources,
  promptsListChanged: LIST_CHANGED.prompts,
};

const listChangeMethods = ({ request }: PendingRequest): readonly string[] => {
  const wanted = request?.params?.['notifications'];
  if (!isJsonObject(wanted)) return [];
  return Object.entries(CHANGES).flatMap(([key, method]) => (wanted[key] === true ? [method] : []));
};

/**
 * Keeps a subscription of a client of 2026-07-28 until the client ends it. When the gateway ends its stream, the request is sent again: the
 * client does not see the second acknowledgement, but a change of each list that it follows, because changes may have been missed.
 */
export class BridgeSubscriptions {
  readonly #parts: BridgeParts;
  readonly #exchanges: Exchanges;

  constructor(exchanges: Exchanges, parts: BridgeParts) {
    this.#exchanges = exchanges;
    this.#parts = parts;
  }

  /** Serves a subscription; never rejects. */
  async run(pending: PendingRequest): Promise<void> {
    const { output, endpoint, patience } = this.#parts;
    const pauses = new Waits(patience);
    for (let isRenewal = false; !pending.isOver();) {
      const sent = await this.#exchanges.send(pending, new Waits(patience));
      const failure: Reading = sent.ok
        ? await this.#read(pending, sent.answer, isRenewal)
        : sent.failure;
      if (pending.isOver()) return;
      if (failure !== undefined && failure !== 'ended' && !isRenewal) {
        const text = formatBridgeFailure(failure, endpoint.url);
        for (const id of pending.open) await output.fail(id, text);
        return;
      }
      isRenewal ||= failure === 'ended';
      await pauses.wait(pending.signal);
    }
  }

  /** Returns `ended` after a stream, and the failure of an answer that is none. */
  async #read(pending: PendingRequest, answer: HttpAnswer, isRenewal: boolean): Promise<Reading> {
    if (!answer.isStream) return this.#exchanges.deliver(pending, answer);
    await readStream(answer, (text) => this.#take(pending, text, isRenewal));
    return 'ended';
  }

  async #take(pending: PendingRequest, text: string, isRenewal: boolean): Promise<void> {
    const { output } = this.#parts;
    const message = parseGatewayMessage(text) ?? {};
    // The gateway ends its streams with results when it stops.
    if (isOwnResult(pending, message)) return;
    if (isRenewal && message['method'] === ACKNOWLEDGED) await this.#announce(pending);
    else {
      pending.take(message);
      await output.write(text);
    }
  }

  async #announce(pending: PendingRequest): Promise<void> {
    const [id] = pending.open;
    for (const method of listChangeMethods(pending))
      await this.#parts.output.notify(method, { _meta: { [SUBSCRIPTION_ID]: id } });
  }
}

type Reading = BridgeFailure | 'ended' | undefined;

const isOwnResult = ({ open }: PendingRequest, message: JsonObject): boolean =>
  isResult(message) && [...open].includes(message['id'] as string | number);
