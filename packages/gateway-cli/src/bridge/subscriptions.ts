import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { readStream } from './answer-body.ts';
import { bridgeFailureText, type BridgeFailure } from './bridge-failure.ts';
import type { Answer } from './endpoint.ts';
import type { Exchanges } from './exchanges.ts';
import { gatewayMessage } from './gateway-message.ts';
import { isResult, type LegacySessionDependencies } from './legacy-session.ts';
import { Waits } from './patience.ts';
import type { PendingRequest } from './pending-request.ts';

/** The request of 2026-07-28 whose stream carries changes. */
export const LISTEN_METHOD = 'subscriptions/listen';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** The changes that a subscription asks for, with the notification of each. */
const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
};

/** Returns the notifications of the lists that a subscription follows. */
const followedLists = ({ request }: PendingRequest): readonly string[] => {
  const wanted = request?.params?.['notifications'];
  if (!isJsonObject(wanted)) return [];
  return Object.entries(CHANGES).flatMap(([key, method]) => (wanted[key] === true ? [method] : []));
};

/**
 * Keeps a subscription of a client of 2026-07-28 until the client ends it. When the gateway ends its stream, the request is sent again: the
 * client does not see the second acknowledgement, but a change of each list that it follows, because changes may have been missed.
 */
export class Subscriptions {
  readonly #dependencies: LegacySessionDependencies;
  readonly #exchanges: Exchanges;

  constructor(exchanges: Exchanges, dependencies: LegacySessionDependencies) {
    this.#exchanges = exchanges;
    this.#dependencies = dependencies;
  }

  /** Serves a subscription; never rejects. */
  async run(pending: PendingRequest): Promise<void> {
    const { output, endpoint, patience } = this.#dependencies;
    const pauses = new Waits(patience);
    for (let isRenewal = false; !pending.isOver();) {
      const sent = await this.#exchanges.send(pending, new Waits(patience));
      const failure: Reading = sent.ok
        ? await this.#read(pending, sent.answer, isRenewal)
        : sent.failure;
      if (pending.isOver()) return;
      if (failure !== undefined && failure !== 'ended' && !isRenewal) {
        const text = bridgeFailureText(failure, endpoint.url);
        for (const id of pending.open) await output.fail(id, text);
        return;
      }
      isRenewal ||= failure === 'ended';
      await pauses.wait(pending.signal);
    }
  }

  /** Returns `ended` after a stream, and the failure of an answer that is none. */
  async #read(pending: PendingRequest, answer: Answer, isRenewal: boolean): Promise<Reading> {
    if (!answer.isStream) return this.#exchanges.deliver(pending, answer);
    await readStream(answer, { onMessage: (text) => this.#take(pending, text, isRenewal) });
    return 'ended';
  }

  async #take(pending: PendingRequest, text: string, isRenewal: boolean): Promise<void> {
    const { output } = this.#dependencies;
    const message = gatewayMessage(text) ?? {};
    // The gateway ends its streams with results when it stops.
    if (isResultOf(pending, message)) return;
    if (isRenewal && message['method'] === ACKNOWLEDGED) await this.#announce(pending);
    else {
      pending.take(message);
      await output.write(text);
    }
  }

  async #announce(pending: PendingRequest): Promise<void> {
    const [id] = pending.open;
    for (const method of followedLists(pending))
      await this.#dependencies.output.notify(method, { _meta: { [SUBSCRIPTION_ID]: id } });
  }
}

/** How the reading of an answer ended. */
type Reading = BridgeFailure | 'ended' | undefined;

const isResultOf = ({ open }: PendingRequest, message: JsonObject): boolean =>
  isResult(message) && [...open].includes(message['id'] as string | number);
