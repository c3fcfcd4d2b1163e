import {
  ANONYMOUS,
  plainCallFacts,
  RPC_CODE,
  type ClientAnswer,
  type Principal,
} from '@gateway/call-contract';
import { LinkError, NEVER_ABORTED, oneWay } from '@gateway/process-link';
import type { AcceptOutcome } from '../lists/trust/tool-change.ts';
import type { SubscribeOutcome, UpdateListener } from '../lists/resource-subscriptions.ts';
import type { DownstreamError, DownstreamOutcome, RequestOptions } from '../requests/call.ts';
import type { ControlOutcome } from '../supervision/control.ts';
import { reasonOf } from '../wire/reason.ts';
import type { CallerNames } from './caller-names.ts';
import {
  UNSENT_FULL,
  type HubAnswer,
  type HubContract,
  type HubControl,
  type HubLimits,
  type HubMethod,
  type HubRequestOptions,
  type RequestText,
} from './hub-contract.ts';

const HUB_GONE = 'the process that owns the servers has ended';

const NO_CLIENT: ClientAnswer = {
  ok: false,
  error: { code: RPC_CODE.methodNotFound, message: 'the client accepts no requests' },
};

const refuse = (error: DownstreamError): DownstreamOutcome => ({ ok: false, error });

const lost = (server: string, reason = HUB_GONE): DownstreamError => ({
  code: 'server.connection-lost',
  server,
  reason,
});

/** Returns the reason of a call to the hub without an answer. */
const failureOf = (server: string, error: unknown): DownstreamError => {
  const code = error instanceof LinkError ? error.code : 'failed';
  switch (code) {
    case 'closed':
      return lost(server);
    case 'full':
      return lost(server, 'too many requests wait for a result');
    case 'cancelled':
      return { code: 'request.cancelled', server };
    case 'result-dropped':
      return { code: 'response.invalid', server, reason: UNSENT_FULL };
    case 'invalid-value':
    case 'failed':
      return { code: 'response.invalid', server, reason: reasonOf(error) };
  }
};

const outcomeOf = (answer: HubAnswer): DownstreamOutcome => {
  if (typeof answer === 'string')
    return { ok: true, result: JSON.parse(answer) as Record<string, unknown>, json: answer };
  return 'error' in answer ? refuse(answer.error) : { ok: true, result: answer.result };
};

const textOf = (call: unknown, options: RequestOptions): string => {
  const text: RequestText = {
    call,
    facts: plainCallFacts(options),
    principal: options.principal ?? ANONYMOUS,
    capabilities: options.caller?.capabilities,
  };
  return JSON.stringify(text);
};

/** Calls the hub, and converts its answers and the failures of the link to outcomes. No method rejects. */
export class HubClient {
  readonly #hub: HubContract;
  readonly #names: CallerNames;
  readonly #limits: HubLimits;

  constructor(hub: HubContract, names: CallerNames, limits: HubLimits) {
    this.#hub = hub;
    this.#names = names;
    this.#limits = limits;
  }

  /** Sends a request to a server of the hub. */
  async request(
    method: HubMethod,
    call: { readonly server: string },
    options: RequestOptions = {},
  ): Promise<DownstreamOutcome> {
    try {
      const text = textOf(call, options);
      return outcomeOf(await this.#hub.request(method, text, this.#optionsOf(options)));
    } catch (error) {
      return refuse(failureOf(call.server, error));
    }
  }

  /** Starts, stops or restarts a server. */
  control(action: HubControl, server: string): Promise<ControlOutcome> {
    const failed = (): ControlOutcome => ({ code: 'failed', server, reason: HUB_GONE });
    return this.#hub.control(action, server).catch(failed);
  }

  /** Accepts the changed tools of a server. */
  acceptTools(server: string, tools: readonly string[] | undefined): Promise<AcceptOutcome> {
    const failed = (): AcceptOutcome => ({ kind: 'failed', text: HUB_GONE });
    return this.#hub.acceptTools(server, ...(tools ? [tools] : [])).catch(failed);
  }

  /** Subscribes to a resource of a server. */
  subscribeResource(
    resource: { readonly server: string; readonly uri: string },
    onUpdated: UpdateListener,
    principal: Principal = ANONYMOUS,
  ): Promise<SubscribeOutcome> {
    const { server } = resource;
    const subscription = new AbortController();
    const end = (): void => subscription.abort();
    const { maxUnsent } = this.#limits;
    return new Promise((resolve) => {
      const options = {
        signal: subscription.signal,
        onOpen: oneWay(() => resolve({ ok: true, end })),
        onUpdated: oneWay((params: Parameters<UpdateListener>[0]) => onUpdated(params), {
          maxUnsent,
        }),
      };
      this.#hub.subscribeResource({ ...resource, principal }, options).then(
        (error) => resolve({ ok: false, error }),
        () => resolve({ ok: false, error: lost(server) }),
      );
    });
  }

  #optionsOf({ signal = NEVER_ABORTED, caller, onProgress }: RequestOptions): HubRequestOptions {
    const limit = { maxUnsent: this.#limits.maxUnsentNotifications };
    const progress = onProgress && { onProgress: oneWay(onProgress.bind(undefined), limit) };
    if (caller === undefined) return { signal, ...progress };
    const { takesInputRequired, identity, client, person, logLevel } = caller;
    return {
      signal,
      ...progress,
      caller: {
        takesInputRequired,
        identity: this.#names.of(identity),
        ...(client !== undefined && { client }),
        ...(person !== undefined && { person }),
        ...(logLevel !== undefined && { logLevel }),
      },
      notify: oneWay((notification) => caller.notify(notification), limit),
      ask: (request, options) => caller.ask(request, options).catch(() => NO_CLIENT),
    };
  }
}
