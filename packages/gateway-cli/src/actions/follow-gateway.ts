import { escapeToLine, type CommandResult } from '@gateway/service-host';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliOutput } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { TemporaryFailure, type Outage } from '../failure.ts';
import { withClient, type GatewayOptions } from './request-gateway.ts';

/** Pauses between attempts to reach a gateway again, in milliseconds: each is twice the one before, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** A session of a command that follows. */
export interface FollowedSession {
  readonly gateway: GatewayClient;
  /** Aborted by Ctrl+C. */
  readonly interrupted: AbortSignal;
  /** Reports that the gateway has answered: from then on the command waits for it when it is away. */
  readonly onAnswer: () => void;
}

/**
 * Runs `follow` in a session until Ctrl+C. After the first answer, a failure that is temporary does not end the command: it writes a line to
 * stderr and runs `follow` in a new session when the gateway is back. @throws CommandFailure
 */
export async function followGateway(
  options: Omit<GatewayOptions, 'signal'>,
  follow: (session: FollowedSession) => Promise<void>,
): Promise<CommandResult> {
  const interrupted = options.io.interrupted();
  const isInterrupted = (): boolean => interrupted.aborted;
  const reconnection = new Reconnection(options.io.stderr);
  const onAnswer = (): void => {
    reconnection.succeed();
  };
  while (!isInterrupted()) {
    try {
      await withClient({ ...options, signal: interrupted }, (gateway) =>
        follow({ gateway, interrupted, onAnswer }),
      );
    } catch (error) {
      if (isInterrupted()) break;
      const milliseconds = reconnection.pauseAfter(error);
      await pause(milliseconds, undefined, { signal: interrupted }).catch(() => undefined);
    }
  }
  return 'succeeded';
}

/** The outage that a command waits for, if any, and the lines about it. */
class Reconnection {
  readonly #stderr: CliOutput;
  #hasAnswered = false;
  #outage: Outage | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(stderr: CliOutput) {
    this.#stderr = stderr;
  }

  succeed(): void {
    this.#hasAnswered = true;
    if (this.#outage !== undefined) this.#write(`${this.#outage.subject} is available again`);
    this.#outage = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /** Returns the time until the next attempt, in milliseconds. Throws a failure that ends the command. */
  pauseAfter(error: unknown): number {
    if (!this.#hasAnswered || !(error instanceof TemporaryFailure)) throw error;
    const { subject, reason } = error.outage;
    // Another thing may be missing once the first one is back.
    if (subject !== this.#outage?.subject)
      this.#write(`${subject} is not available (${reason}); waiting for it until Ctrl+C`);
    this.#outage = error.outage;
    const milliseconds = this.#pauseMs;
    this.#pauseMs = Math.min(2 * milliseconds, LONGEST_PAUSE_MS);
    return milliseconds;
  }

  #write(text: string): void {
    this.#stderr.write(`gateway: ${escapeToLine(text)}\n`);
  }
}
