import type { CallContext } from '@gateway/call-contract';
import type { RequestLoad, TargetLoad } from '@gateway/core-tools';
import type { McpServer, RequestLimitFields } from '@gateway/crd-schemas';
import {
  type CallTime,
  type DownstreamError,
  type DownstreamOutcome,
  findToolRules,
} from '@gateway/downstream';
import type { EventSink } from '@gateway/events';
import { CallSlots, type SlotLimits } from '@gateway/mcp-http';
import { LRUCache } from 'lru-cache';
import { toRefusalKey } from '../audit/refusal-budget.ts';
import {
  Breaker,
  type BreakerChange,
  type BreakerPolicy,
  type BreakerVerdict,
  type Rate,
  RateWindow,
} from './request-limits.ts';
import { type ServerRequest, type ServerRequestStage, findBudget } from './stage.ts';

/**
 * Applies the limits of a server and of its tool to a request. A request over the concurrency waits until it has a slot of both or its
 * call ends; other refusals are immediate. The queue is round-robin between callers, then between the runs of a caller. A step of a
 * workflow occupies a slot of its server; the workflow call itself occupies no slot, so that a workflow never waits for itself.
 */
export const limitRequests =
  (limits: Pick<ServerLimits, 'find'>): ServerRequestStage =>
  (request, context, next) => {
    const limit = limits.find(request);
    if (limit === undefined) return next(request, context);
    const refusal = limit.admit(context);
    if (refusal !== undefined) return Promise.resolve({ ok: false, error: refusal });
    const { slots, time } = limit;
    const send = (): Promise<DownstreamOutcome> =>
      next(time === undefined ? request : { ...request, time }, context);
    return slots.take() ? limit.run(send) : waitForSlot(limit, context, send);
  };

function waitForSlot(
  limit: RequestLimit,
  context: CallContext,
  send: () => Promise<DownstreamOutcome>,
): Promise<DownstreamOutcome> {
  const { signal, callerKey = '' } = context;
  const cancelled: DownstreamError = { code: 'request.cancelled', server: limit.target.server };
  if (signal.aborted) return Promise.resolve({ ok: false, error: cancelled });
  return new Promise((resolve) => {
    const run = findBudget(context)?.owner;
    const withdraw = limit.slots.wait({ user: callerKey, run }, () => {
      signal.removeEventListener('abort', cancel);
      resolve(limit.run(send));
    });
    const cancel = (): void => {
      withdraw?.();
      resolve({ ok: false, error: cancelled });
    };
    if (withdraw === undefined) resolve({ ok: false, error: limit.refuseWaiting() });
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

/** The limits of a server or a tool, with times in milliseconds. */
interface Limits {
  readonly slots: SlotLimits;
  readonly perUser: Rate | undefined;
  readonly total: Rate | undefined;
  readonly time: CallTime | undefined;
  readonly breaker: BreakerPolicy | undefined;
}

const compileLimits = (
  { concurrency, queue, rate, callTimeout, maxCallTimeout, breaker }: RequestLimitFields = {},
  { maxRunning, maxQueued }: SlotLimits,
): Limits => {
  const toMs = (seconds: number | undefined): number | undefined => seconds && seconds * 1000;
  const toRate = (calls: number | undefined): Rate | undefined =>
    rate === undefined || calls === undefined
      ? undefined
      : { calls, windowMs: rate.seconds * 1000 };
  const isTimed = callTimeout !== undefined || maxCallTimeout !== undefined;
  return {
    slots: { maxRunning: concurrency ?? maxRunning, maxQueued: queue ?? maxQueued },
    perUser: toRate(rate?.perUser),
    total: toRate(rate?.total),
    time: isTimed
      ? { timeoutMs: toMs(callTimeout), maxTimeoutMs: toMs(maxCallTimeout) }
      : undefined,
    breaker: breaker && { failures: breaker.failures, openMs: breaker.openSeconds * 1000 },
  };
};

/** The outcome for a breaker of a request that failed. A server that refuses a request answers. */
const VERDICTS: Readonly<Record<DownstreamError['code'], BreakerVerdict>> = {
  'request.timeout': 'failed',
  'server.connection-lost': 'failed',
  'request.refused': 'answered',
  'response.invalid': 'answered',
  'input.not-given': 'answered',
  'request.cancelled': 'neither',
  'server.unknown': 'neither',
  'server.not-connected': 'neither',
  'tool.value-missing': 'neither',
  'server.auth-required': 'neither',
  'server.busy': 'neither',
  'server.rate-limited': 'neither',
  'server.breaker-open': 'neither',
};

type LimitRefusal = Extract<
  DownstreamError,
  { readonly code: 'server.busy' | 'server.rate-limited' | 'server.breaker-open' }
>;

/** Receivers of what the limits of all servers do, and the state that they share. */
interface LimitContext {
  readonly onRefused: (refusal: LimitRefusal) => void;
  readonly emit: EventSink;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now: () => number;
  /** The calls of each user, by the limit and the user. */
  readonly users: LRUCache<string, RateWindow>;
}

interface Target {
  readonly server: string;
  /** The server's own name. */
  readonly tool?: string;
}

/** A rate with the calls that it counts. */
interface CountedRate {
  readonly limit: RequestLimit;
  readonly rate: Rate;
  readonly counted: RateWindow;
  readonly isPerUser: boolean;
}

/** The limits of one server, or of one of its tools together with those of the server. */
class RequestLimit {
  readonly target: Target;
  readonly slots: CallSlots;
  /** The time of a request; that of a tool is in place of that of its server. */
  time: CallTime | undefined;
  readonly #context: LimitContext;
  readonly #server: RequestLimit | undefined;
  readonly #counted = new RateWindow();
  readonly #release = (): void => this.slots.release();
  #breaker = new Breaker();
  #limits: Limits;
  /** This and the limits of the server, those without a rate and a breaker left out. */
  #guards: readonly RequestLimit[] = [];
  #refused = 0;

  constructor(target: Target, limits: Limits, context: LimitContext, server?: RequestLimit) {
    this.target = target;
    this.slots = new CallSlots(limits.slots, server?.slots);
    this.#context = context;
    this.#server = server;
    this.#limits = limits;
    this.apply(limits);
  }

  get isBreakerOpen(): boolean {
    return this.#breaker.state.kind !== 'closed';
  }

  /** The present load, and the refusals since the start. */
  get load(): TargetLoad {
    const { running, queued: waiting } = this.slots;
    const { kind: state } = this.#breaker.state;
    const waitMs = this.#findBreakerWait();
    const next = waitMs !== undefined && { nextAttemptAt: Date.now() + waitMs };
    const breaker = this.#limits.breaker && { state, ...next };
    return { running, waiting, refused: this.#refused, ...(breaker && { breaker }) };
  }

  /** Applies new limits. What runs, waits and was counted stays. The limits of a server come before those of its tools. */
  apply(limits: Limits): void {
    this.#limits = limits;
    if (limits.breaker === undefined) this.#breaker = new Breaker();
    const all = this.#server === undefined ? [this] : [this, this.#server];
    this.#guards = all.filter((limit) => limit.#isGuard);
    this.time = limits.time ?? this.#server?.time;
    this.slots.resize(limits.slots);
  }

  /** Returns why a request may not be sent now; otherwise counts it for the rates. */
  admit(caller: CallContext): LimitRefusal | undefined {
    if (this.#guards.length === 0) return undefined;
    const open = this.#refuseOpen();
    if (open !== undefined) return open;
    const now = this.#context.now();
    const user = toRefusalKey(caller);
    const rates = this.#guards.flatMap((limit) => limit.#listRates(user));
    for (const { limit, rate, counted, isPerUser } of rates) {
      const waitMs = counted.findWait(now, rate);
      if (waitMs > 0)
        return limit.#refuse({
          code: 'server.rate-limited',
          ...limit.target,
          ...rate,
          isPerUser,
          waitMs,
        });
    }
    for (const { rate, counted } of rates) counted.add(now, rate);
    return undefined;
  }

  /** Sends a request that has a slot, and releases the slot at its end; does not delay the outcome by a microtask. */
  run(send: () => Promise<DownstreamOutcome>): Promise<DownstreamOutcome> {
    if (this.#guards.length > 0) return this.#runGuarded(send);
    const outcome = send();
    outcome.then(this.#release, this.#release);
    return outcome;
  }

  /** Returns why a request without a slot cannot wait. */
  refuseWaiting(): LimitRefusal {
    const server = this.#server;
    const full = server === undefined || this.slots.isQueueFull ? this : server;
    const { running, queued: waiting } = full.slots;
    return full.#refuse({ code: 'server.busy', ...full.target, running, waiting });
  }

  #runGuarded(send: () => Promise<DownstreamOutcome>): Promise<DownstreamOutcome> {
    // A breaker may have opened while the request waited.
    const error = this.#refuseOpen();
    if (error !== undefined) {
      this.slots.release();
      return Promise.resolve({ ok: false, error });
    }
    const ends = this.#guards.map((limit) => limit.#begin());
    const end = (verdict: BreakerVerdict): void => {
      for (const one of ends) one(verdict);
      this.slots.release();
    };
    const outcome = send();
    outcome.then(
      (ended) => end(ended.ok ? 'answered' : VERDICTS[ended.error.code]),
      () => end('neither'),
    );
    return outcome;
  }

  get #isGuard(): boolean {
    const { perUser, total, breaker } = this.#limits;
    return (perUser ?? total ?? breaker) !== undefined;
  }

  #listRates(user: string): readonly CountedRate[] {
    const { perUser, total } = this.#limits;
    const rates: CountedRate[] = [];
    if (total !== undefined)
      rates.push({ limit: this, rate: total, counted: this.#counted, isPerUser: false });
    if (perUser !== undefined) {
      const { users } = this.#context;
      const key = JSON.stringify([this.target, user]);
      const counted = users.get(key) ?? new RateWindow();
      users.set(key, counted);
      rates.push({ limit: this, rate: perUser, counted, isPerUser: true });
    }
    return rates;
  }

  #refuseOpen(): LimitRefusal | undefined {
    const now = this.#context.now();
    const open = this.#guards.find((limit) => !limit.#breaker.admits(now));
    if (open === undefined) return undefined;
    const waitMs = open.#findBreakerWait();
    return open.#refuse({
      code: 'server.breaker-open',
      ...open.target,
      ...(waitMs !== undefined && { waitMs }),
    });
  }

  /** Returns the time until the next attempt; `undefined` when the breaker is not open. */
  #findBreakerWait(): number | undefined {
    const { state } = this.#breaker;
    return state.kind === 'open' ? Math.max(0, state.until - this.#context.now()) : undefined;
  }

  /** Begins a request for the breaker. @returns the function that ends it */
  #begin(): (verdict: BreakerVerdict) => void {
    const breaker = this.#breaker;
    const round = breaker.begin();
    return (verdict) => {
      const policy = this.#limits.breaker;
      if (policy === undefined) return;
      const change = breaker.end(round, verdict, this.#context.now(), policy);
      if (change !== undefined) this.#report(change, policy);
    };
  }

  #report(change: BreakerChange, { failures, openMs }: BreakerPolicy): void {
    const { server: name, ...tool } = this.target;
    this.#context.emit(
      change === 'opened'
        ? { reason: 'MCPServerBreakerOpened', name, ...tool, failures, seconds: openMs / 1000 }
        : { reason: 'MCPServerBreakerClosed', name, ...tool },
    );
  }

  #refuse(refusal: LimitRefusal): LimitRefusal {
    this.#refused += 1;
    this.#context.onRefused(refusal);
    return refusal;
  }
}

/** Users whose calls are counted for rates. Beyond that the least recently used count is forgotten. */
const MAX_USERS = 10_000;

/** Tools of a server whose limits are stored. Beyond that the least recently used ones are forgotten. */
const MAX_TOOLS = 5_000;

/** Tools of a server whose load is shown. */
const MAX_SHOWN = 50;

/** A tool is limited by its server alone unless its own limits say more. */
const UNLIMITED: SlotLimits = { maxRunning: Infinity, maxQueued: Infinity };

interface LimitedServer {
  readonly definition: McpServer;
  readonly limit: RequestLimit;
  /** The limits of each tool that was called; absent when no tool has its own. */
  readonly tools: LRUCache<string, RequestLimit> | undefined;
}

/** The limits of all servers. */
export class ServerLimits {
  readonly #defaults: SlotLimits;
  readonly #context: LimitContext;
  readonly #servers = new Map<string, LimitedServer>();

  /** @param defaults the concurrency of servers that do not define it */
  constructor(defaults: SlotLimits, observer: Omit<LimitContext, 'users'>) {
    this.#defaults = defaults;
    this.#context = { ...observer, users: new LRUCache({ max: MAX_USERS }) };
  }

  /** Applies the definitions of all servers. */
  apply(servers: readonly McpServer[]): void {
    const before = new Map(this.#servers);
    this.#servers.clear();
    for (const definition of servers) {
      const { name } = definition.metadata;
      const known = before.get(name);
      const isSame = known?.definition === definition;
      this.#servers.set(name, isSame ? known : this.#limit(definition, known));
    }
  }

  /** Returns the limits of a request; `undefined` for a server that does not exist. */
  find({ server, tool }: ServerRequest): RequestLimit | undefined {
    const limited = this.#servers.get(server);
    if (tool === undefined || limited?.tools === undefined) return limited?.limit;
    return limited.tools.get(tool) ?? this.#limitTool(limited, limited.tools, tool);
  }

  /** Returns the servers with what waits for them, and the number of breakers of the server and its tools that are not closed. */
  *loads(): Iterable<
    readonly [string, { readonly queued: number; readonly openBreakers: number }]
  > {
    for (const [server, { limit, tools }] of this.#servers) {
      const all = new Set([limit, ...(tools?.values() ?? [])]);
      const openBreakers = [...all].filter(({ isBreakerOpen }) => isBreakerOpen).length;
      yield [server, { queued: limit.slots.queued, openBreakers }];
    }
  }

  /** Returns the present load of a server, and of its tools with limits that were called last. */
  findLoad(server: string): RequestLoad | undefined {
    const limited = this.#servers.get(server);
    if (limited === undefined) return undefined;
    const tools = [...(limited.tools ?? [])].filter(([, limit]) => limit !== limited.limit);
    const shown = tools.slice(0, MAX_SHOWN).map(([tool, { load }]) => ({ tool, ...load }));
    return { ...limited.limit.load, tools: shown };
  }

  #limit(definition: McpServer, known: LimitedServer | undefined): LimitedServer {
    const { metadata, spec } = definition;
    const limits = compileLimits(spec.limits, this.#defaults);
    known?.limit.apply(limits);
    const limit =
      known?.limit ?? new RequestLimit({ server: metadata.name }, limits, this.#context);
    if (spec.tools?.some((rule) => rule.limits !== undefined) !== true)
      return { definition, limit, tools: undefined };
    const tools = known?.tools ?? new LRUCache({ max: MAX_TOOLS });
    for (const [tool, toolLimit] of [...tools]) {
      const fields = findToolLimits(definition, tool);
      if (fields === undefined || toolLimit === limit) tools.delete(tool);
      else toolLimit.apply(compileLimits(fields, UNLIMITED));
    }
    return { definition, limit, tools };
  }

  #limitTool(
    { definition, limit: server }: LimitedServer,
    tools: LRUCache<string, RequestLimit>,
    tool: string,
  ): RequestLimit {
    const fields = findToolLimits(definition, tool);
    const target = { ...server.target, tool };
    const limit =
      fields === undefined
        ? server
        : new RequestLimit(target, compileLimits(fields, UNLIMITED), this.#context, server);
    tools.set(tool, limit);
    return limit;
  }
}

/** Returns the limits of the entries of `spec.tools` for a tool: the last ones win. */
const findToolLimits = ({ spec }: McpServer, tool: string): RequestLimitFields | undefined =>
  findToolRules(spec.tools ?? [], tool).findLast(({ limits }) => limits !== undefined)?.limits;
