import type { Era } from './client-session.ts';
import type { DownstreamTimeouts } from '../limits.ts';
import type { Failure } from '../supervision/server-machine.ts';
import type { ServerLink } from './link.ts';

/** Finds out whether a server that was met before can still be met. */
export interface HealthCheck {
  /** Looks now, unless a look is under way. */
  look(): void;
  /** Looks at intervals. */
  keepLooking(): void;
  stop(): void;
}

/** The connection in question. */
export interface CheckedConnection {
  readonly link: ServerLink;
  readonly lost: (failure: Failure) => void;
}

const MAX_LOOK_MS = 10_000;
/** A look that found the server well is not repeated for this long, however many requests fail. */
const PAUSE_MS = 250;

/**
 * Asks the smallest question there is. Only a server that cannot be met at all is lost: a slow or a refusing one is
 * still there.
 */
export const createHealthCheck = (
  connection: CheckedConnection,
  era: Era,
  timeouts: Pick<DownstreamTimeouts, 'healthIntervalMs'>,
): HealthCheck => {
  let looking = false;
  let stopped = false;
  let interval: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    if (looking || stopped) return;
    looking = true;
    const outcome = await connection.link.tap.request({
      method: era === 'modern' ? 'server/discover' : 'ping',
      params: {},
      timeoutMs: MAX_LOOK_MS,
    });
    if (!outcome.ok && outcome.failure.kind === 'lost' && !isHttpAnswer(outcome.failure.reason))
      connection.lost({ reason: outcome.failure.reason, authRequired: false });
    setTimeout(() => {
      looking = false;
    }, PAUSE_MS).unref();
  };
  return {
    look: () => void look(),
    keepLooking() {
      interval = setInterval(() => void look(), timeouts.healthIntervalMs);
      interval.unref();
    },
    stop() {
      stopped = true;
      clearInterval(interval);
    },
  };
};

/** An HTTP status is an answer: something is there. */
const isHttpAnswer = (reason: string): boolean => reason.startsWith('HTTP ');
