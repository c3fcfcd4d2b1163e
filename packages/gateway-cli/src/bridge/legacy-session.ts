import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { discard } from './answer-body.ts';
import type { ClientOutput } from './client-output.ts';
import type { ClientRequest } from './client-message.ts';
import type { Endpoint } from './endpoint.ts';
import { readResponse } from './gateway-message.ts';
import { Waits, type Patience } from './patience.ts';

/** The dependencies of {@link LegacySession}. */
export interface LegacySessionDependencies {
  readonly endpoint: Endpoint;
  readonly output: ClientOutput;
  readonly patience: Patience;
  /** Aborted when the bridge ends. */
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
}

/** Maximum number of subscriptions that a new session repeats. */
const MAX_REPEATED = 1_000;

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** A revision of the protocol, as it may stand in a header. */
const REVISION = /^\d{4}-\d\d-\d\d$/u;

const LISTS = ['tools', 'resources', 'prompts'] as const;

const memberOf = (value: unknown, key: string): unknown =>
  isJsonObject(value) ? value[key] : undefined;

/** Returns the key under which a request is repeated, and whether it ends what another one has started. */
const repeatedAs = ({
  method,
  params,
}: ClientRequest): { key: string; ends: boolean } | undefined => {
  const uri = params?.['uri'];
  switch (method) {
    case 'logging/setLevel':
      return { key: 'level', ends: false };
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { key: `uri ${String(uri)}`, ends: method === 'resources/unsubscribe' };
    default:
      return undefined;
  }
};

/**
 * The session of a client of the 2025 revisions at the gateway. When the gateway does not know it any more, another one is opened with the
 * client's own `initialize`, and gets its log level and its subscriptions.
 */
export class LegacySession {
  readonly #dependencies: LegacySessionDependencies;
  readonly #repeated = new Map<string, ClientRequest>();
  #initialize: ClientRequest | undefined;
  #id: string | undefined;
  #lists: readonly string[] = [];
  #renewing: Promise<boolean> | undefined;

  constructor(dependencies: LegacySessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Identifier of the session; `undefined` before there is one. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Takes the result of the client's `initialize`. */
  opened(request: ClientRequest, result: unknown, id: string | undefined): void {
    this.#initialize = request;
    this.#take(result, id);
  }

  /** Remembers a request that has succeeded and that another session needs too. */
  succeeded(request: ClientRequest): void {
    const repeated = repeatedAs(request);
    if (repeated === undefined) return;
    this.#repeated.delete(repeated.key);
    if (!repeated.ends && this.#repeated.size < MAX_REPEATED)
      this.#repeated.set(repeated.key, request);
  }

  /** Opens another session in the place of a lost one; concurrent calls share it. Resolves with `false` when there is none. */
  renew(lostId: string): Promise<boolean> {
    if (this.#id !== lostId) return Promise.resolve(this.#id !== undefined);
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<boolean> {
    const { endpoint, patience, signal, log, output } = this.#dependencies;
    const request = this.#initialize;
    if (request === undefined) return false;
    const waits = new Waits(patience);
    let sent = await endpoint.post(request.line, request, signal);
    while (!sent.ok && !waits.isOver && !signal.aborted) {
      await waits.wait(signal);
      sent = await endpoint.post(request.line, request, signal);
    }
    if (!sent.ok) return false;
    const result = (await readResponse(sent.answer))?.['result'];
    if (!isJsonObject(result)) return false;
    this.#take(result, sent.answer.sessionId);
    await this.#post(INITIALIZED, { method: 'notifications/initialized' });
    for (const repeated of this.#repeated.values()) await this.#post(repeated.line, repeated);
    log('the session had ended; another one is open');
    // Changes while there was no session were missed.
    for (const list of this.#lists) await output.notify(`notifications/${list}/list_changed`);
    return true;
  }

  async #post(line: string, described: Pick<ClientRequest, 'method'>): Promise<void> {
    const { endpoint, signal } = this.#dependencies;
    const sent = await endpoint.post(line, described, signal);
    if (sent.ok) discard(sent.answer);
  }

  #take(result: unknown, id: string | undefined): void {
    const { headers } = this.#dependencies.endpoint;
    const version = memberOf(result, 'protocolVersion');
    const capabilities = memberOf(result, 'capabilities');
    this.#id = id;
    this.#lists = LISTS.filter(
      (list) => memberOf(memberOf(capabilities, list), 'listChanged') === true,
    );
    headers.useSession(id);
    if (typeof version === 'string' && REVISION.test(version)) headers.useVersion(version);
  }
}

/** Returns whether a response is a result. */
export const isResult = (message: JsonObject): boolean => Object.hasOwn(message, 'result');
