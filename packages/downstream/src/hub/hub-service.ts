import { RPC_CODE, type Caller, type ClientAnswer } from '@gateway/call-contract';
import { LinkError, NEVER_ABORTED, oneWay } from '@gateway/process-link';
import type { DownstreamError, DownstreamOutcome, RequestOptions } from '../requests/call.ts';
import type { Completion, PromptGet, ResourceRead, ToolCall } from '../requests/requests.ts';
import type { Downstream } from '../supervision/downstream.ts';
import {
  UNSENT_FULL,
  type HubAnswer,
  type HubContract,
  type HubLimits,
  type HubMethod,
  type HubRequestOptions,
  type HubResource,
  type HubSubscribeOptions,
  type RequestText,
} from './hub-contract.ts';
import { personalFacts } from './personal-facts.ts';
import { PersonalService } from './personal-service.ts';
import { StateFeed } from './state-feed.ts';

const senders: {
  readonly [M in HubMethod]: (
    downstream: Downstream,
    call: unknown,
    options: RequestOptions,
  ) => Promise<DownstreamOutcome>;
} = {
  // `HubClient` of the same release wrote the text.
  callTool: (downstream, call, options) => downstream.callTool(call as ToolCall, options),
  readResource: (downstream, call, options) =>
    downstream.readResource(call as ResourceRead, options),
  getPrompt: (downstream, call, options) => downstream.getPrompt(call as PromptGet, options),
  complete: (downstream, call, options) => downstream.complete(call as Completion, options),
};

/** Returns the answer to a question of a server that did not reach the caller. */
const unansweredOf = (error: unknown): ClientAnswer => {
  const isFull = error instanceof LinkError && error.code === 'full';
  const message = isFull ? UNSENT_FULL : 'the question was withdrawn';
  return { ok: false, error: { code: RPC_CODE.transport, message } };
};

const callerOf = (
  { caller, ask, notify }: HubRequestOptions,
  { capabilities = {} }: RequestText,
  limits: HubLimits,
): Caller | undefined => {
  if (caller === undefined || ask === undefined || notify === undefined) return undefined;
  const limit = { maxUnsent: limits.maxUnsentNotifications };
  return {
    capabilities,
    takesInputRequired: caller.takesInputRequired,
    logLevel: caller.logLevel,
    identity: caller.identity,
    client: caller.client,
    person: caller.person,
    notify,
    ask: (request, { signal = NEVER_ABORTED, onProgress, more } = {}) => {
      const progress = onProgress && { onProgress: oneWay(onProgress.bind(undefined), limit) };
      return ask(request, { signal, ...progress, ...(more && { more }) }).catch(unansweredOf);
    },
  };
};

const requestOptionsOf = (
  options: HubRequestOptions,
  text: RequestText,
  limits: HubLimits,
): RequestOptions => {
  const { signal, onProgress } = options;
  const caller = callerOf(options, text, limits);
  return {
    principal: text.principal,
    signal,
    ...(onProgress && { onProgress }),
    ...text.facts,
    ...(caller && { caller }),
  };
};

const answerOf = (outcome: DownstreamOutcome): HubAnswer => {
  if (!outcome.ok) return { error: outcome.error };
  return outcome.json ?? { result: outcome.result };
};

/** Serves the servers of this process to one other process. */
export class HubService extends PersonalService implements HubContract {
  readonly #downstream: Downstream;
  readonly #limits: HubLimits;
  #isSettled = false;
  #feed: StateFeed | undefined;

  /** @param settled resolves when every server that starts by itself was tried */
  constructor(downstream: Downstream, settled: Promise<void>, limits: HubLimits) {
    super(downstream);
    this.#downstream = downstream;
    this.#limits = limits;
    void settled.then(() => {
      this.#isSettled = true;
      this.#feed?.update();
    });
  }

  async request(method: HubMethod, text: string, options: HubRequestOptions): Promise<HubAnswer> {
    const parsed = JSON.parse(text) as RequestText;
    const requestOptions = requestOptionsOf(options, parsed, this.#limits);
    return answerOf(await senders[method](this.#downstream, parsed.call, requestOptions));
  }

  /** The process that requested the action has the new state before the outcome. */
  async control(...[action, server]: Parameters<HubContract['control']>) {
    const outcome = await this.#downstream[action](server);
    await this.#feed?.flushed();
    return outcome;
  }

  async acceptTools(...[server, tools]: Parameters<HubContract['acceptTools']>) {
    const outcome = await this.#downstream.acceptTools(server, tools);
    await this.#feed?.flushed();
    return outcome;
  }

  async subscribeResource(
    { principal, ...resource }: HubResource,
    { signal, onOpen, onUpdated }: HubSubscribeOptions,
  ): Promise<DownstreamError> {
    const outcome = await this.#downstream.subscribeResource(resource, onUpdated, principal);
    if (!outcome.ok) return outcome.error;
    if (signal.aborted) outcome.end();
    else {
      signal.addEventListener('abort', () => outcome.end(), { once: true });
      onOpen();
    }
    return new Promise(() => undefined);
  }

  followState(listener: Parameters<HubContract['followState']>[0]): () => void {
    const downstream = this.#downstream;
    const source = {
      servers: () => downstream.servers(),
      inventories: () => downstream.inventories(),
      lastInventories: () => downstream.lastInventories(),
      contestedNames: () => downstream.contestedNames(),
      settled: () => this.#isSettled,
      personal: () => personalFacts(downstream),
    };
    const feed = new StateFeed(source, listener);
    this.#feed = feed;
    const stopListening = downstream.onChange((changedFor) => {
      if (changedFor === 'all') feed.update();
    });
    return () => {
      stopListening();
      feed.stop();
    };
  }

  confirmState(version: number): void {
    this.#feed?.confirm(version);
  }

  endClient(client: string): void {
    this.#downstream.endClient(client);
  }

  verifyConnection(server: string): void {
    this.#downstream.verifyConnection(server);
  }
}
