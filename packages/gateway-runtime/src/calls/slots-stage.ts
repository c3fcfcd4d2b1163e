import type { CallContext } from '@gateway/call-contract';
import type { DownstreamError, DownstreamOutcome } from '@gateway/downstream';
import type { CallSlots, KeyedSlots } from '@gateway/mcp-http';
import { findBudget } from './step-context.ts';
import type { ServerRequestStage } from './stage.ts';

/** The slots of the servers, and a counter of refused requests. */
export interface RequestLimits {
  readonly slots: KeyedSlots;
  readonly onRefused: (server: string) => void;
}

/**
 * Limits the concurrent requests to each server. Further requests wait until one has ended, the callers in turn and the runs of each,
 * and at most until their call is cancelled or its time limit passes. Requests of workflows count at the server that they reach; the
 * call of the workflow itself occupies no slot of a server, so that a workflow never waits for itself.
 */
export const takeServerSlot =
  (limits: RequestLimits): ServerRequestStage =>
  (request, context, next) => {
    const slots = limits.slots.of(request.server);
    if (slots.take()) return released(slots, next(request, context));
    return queued({ ...limits, server: request.server }, { slots, context }, () =>
      released(slots, next(request, context)),
    );
  };

/** Releases the slot when the request has ended; does not delay the outcome by a microtask. */
function released(slots: CallSlots, outcome: Promise<DownstreamOutcome>) {
  const release = (): void => {
    slots.release();
  };
  outcome.then(release, release);
  return outcome;
}

interface WaitingRequest {
  readonly slots: CallSlots;
  readonly context: CallContext;
}

function queued(
  { server, onRefused }: RequestLimits & { readonly server: string },
  { slots, context }: WaitingRequest,
  send: () => Promise<DownstreamOutcome>,
): Promise<DownstreamOutcome> {
  const { signal, callerKey = '' } = context;
  const cancelled: DownstreamError = { code: 'request.cancelled', server };
  if (signal.aborted) return Promise.resolve({ ok: false, error: cancelled });
  return new Promise((resolve) => {
    const run = findBudget(context)?.owner;
    const withdraw = slots.wait({ user: callerKey, run }, () => {
      signal.removeEventListener('abort', cancel);
      resolve(send());
    });
    const cancel = (): void => {
      withdraw?.();
      resolve({ ok: false, error: cancelled });
    };
    if (withdraw === undefined) {
      onRefused(server);
      const { running, queued: waiting } = slots;
      resolve({ ok: false, error: { code: 'server.busy', server, running, waiting } });
    } else signal.addEventListener('abort', cancel, { once: true });
  });
}
