import type { MachineEvent, Phase } from './machine/phase.ts';
import { beginAttempt } from './server-attempt.ts';
import type { Attempt, AttemptObserver, AttemptTask } from './server-attempt.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';

/** Maximum number of earlier connections of a server whose calls may finish. */
const MAX_EARLIER = 4;

/** The observer of an attempt, and of its end before the next one begins. */
type SeriesObserver = AttemptObserver & { readonly onClosed: () => void };

/** The events after which no call may finish. */
const ENDS_CALLS: ReadonlySet<MachineEvent['kind']> = new Set(['stop', 'restart', 'redefined']);

/** The events after which the connection of a live server stays in use until the next one has replaced it. */
const KEEPS_CALLS: ReadonlySet<MachineEvent['kind']> = new Set(['rotated', 'session-ended']);

/**
 * The attempts of a server, one after the other. After new values of Secrets and ConfigMaps, and after the end of its session, the earlier connection stays in use until the
 * next attempt is over, and its calls may finish.
 */
export class Attempts {
  #present: Attempt | undefined;
  /** The oldest first. */
  readonly #earlier = new Set<Attempt>();
  #previous: Promise<void>;
  #isRotating = false;

  /** @param predecessor resolves when an earlier server of this name has ended */
  constructor(predecessor: Promise<void>) {
    this.#previous = predecessor;
  }

  /** The earlier connection is in use until the next attempt is over. */
  get isRotating(): boolean {
    return this.#isRotating;
  }

  /** Begins the next attempt. */
  begin(
    task: Omit<AttemptTask, 'previous'>,
    dependencies: SupervisorDependencies,
    { onClosed, ...observer }: SeriesObserver,
  ): void {
    const previous = this.#previous;
    this.#present = beginAttempt({ ...task, previous }, dependencies, observer);
    this.#previous = this.#present.over.then(onClosed);
  }

  /** Follows a transition of the server, before its actions. */
  follow(before: Phase, { kind }: MachineEvent, after: Phase): void {
    if (KEEPS_CALLS.has(kind) && before.kind === 'live') {
      this.#keep();
      return;
    }
    const endsCalls = ENDS_CALLS.has(kind);
    if (endsCalls) for (const attempt of this.#earlier) attempt.end();
    if (!endsCalls && (after.kind === 'starting' || after.kind === 'restarting')) return;
    this.#isRotating = false;
    for (const attempt of this.#earlier) attempt.leave();
  }

  /** Ends the present attempt. */
  end(): void {
    this.#present?.end();
  }

  /** Resolves when all attempts have ended completely. */
  async over(): Promise<void> {
    await Promise.all([this.#previous, ...[...this.#earlier].map((attempt) => attempt.over)]);
  }

  #keep(): void {
    const kept = this.#present;
    if (kept === undefined) return;
    this.#isRotating = true;
    this.#present = undefined;
    this.#previous = Promise.resolve();
    this.#earlier.add(kept);
    void kept.over.then(() => this.#earlier.delete(kept));
    const [oldest] = this.#earlier;
    if (this.#earlier.size > MAX_EARLIER) oldest?.end();
  }
}
