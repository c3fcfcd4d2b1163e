import type { CallContext } from '@gateway/call-contract';
import type { DownstreamError, DownstreamOutcome } from '@gateway/downstream';
import type { CallSlots, KeyedSlots } from '@gateway/mcp-http';
import { type ServerRequestStage, findBudget } from './stage.ts';

/** The slots of the servers, and a counter of refused requests. */
export interface RequestLimits {
  readonly slots: KeyedSlots;
  readonly onRefused: (server: string) => void;
}

/**
 * Limits the concurrent requests to each server. Further requests are queued until a slot is free or their call ends. The queue is
 * round-robin between callers, then between the runs of a caller. A step of a workflow occupies a slot of its server; the workflow
 * call itself occupies no slot, so that a workflow never waits for itself.
 */
export const takeServerSlot =
  (limits: RequestLimits): ServerRequestStage =>
  (request, context, next) => {
    const slots = limits.slots.get(request.server);
    if (slots.take()) return withSlotRelease(slots, next(request, context));
    return waitForSlot({ ...limits, server: request.server }, { slots, context }, () =>
      withSlotRelease(slots, next(request, context)),
    );
  };

/** Releases the slot when the request has ended; does not delay the outcome by a microtask. */
function withSlotRelease(slots: CallSlots, outcome: Promise<DownstreamOutcome>) {
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

function waitForSlot(
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
