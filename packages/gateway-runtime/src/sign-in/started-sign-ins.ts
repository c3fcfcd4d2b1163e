import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A person at a server. */
export interface PersonAtServer {
  readonly server: string;
  readonly principalKey: string;
}

interface Started extends PersonAtServer {
  readonly ended: Promise<boolean>;
  readonly end: (isCompleted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** Time that a person has for a sign-in, in milliseconds. */
const SIGN_IN_MS = 10 * 60_000;

/** Maximum number of sign-ins whose end is reported; the oldest counts as expired. */
const MAX_STARTED = 10_000;

/** The sign-ins that wait for a browser, to report their ends. Their ids admit nothing. */
export class StartedSignIns {
  readonly #started = new LRUCache<string, Started>({
    // Not `max`, for which the library reserves memory.
    maxSize: MAX_STARTED,
    sizeCalculation: () => 1,
    dispose: ({ end, timer }) => {
      clearTimeout(timer);
      end(false);
    },
  });

  /** Records a started sign-in and returns its id. */
  add(person: PersonAtServer): string {
    const id = randomUUID();
    let end = (_isCompleted: boolean): void => undefined;
    const ended = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(() => this.#started.delete(id), SIGN_IN_MS).unref();
    this.#started.set(id, { ...person, ended, end, timer });
    return id;
  }

  /** Returns whether a sign-in of a person to a server waits for a browser. */
  isWaiting(person: PersonAtServer): boolean {
    return this.#of(person).length > 0;
  }

  /** Ends the sign-ins of a person to a server: the browser has completed one. */
  complete(person: PersonAtServer): void {
    for (const [id, { end }] of this.#of(person)) {
      end(true);
      this.#started.delete(id);
    }
  }

  /** Resolves with `true` when a sign-in was completed, with `false` when it expired or is unknown. */
  completed(id: string): Promise<boolean> {
    return this.#started.peek(id)?.ended ?? Promise.resolve(false);
  }

  close(): void {
    this.#started.clear();
  }

  #of({ server, principalKey }: PersonAtServer): readonly (readonly [string, Started])[] {
    return [...this.#started.entries()].filter(
      ([, one]) => one.server === server && one.principalKey === principalKey,
    );
  }
}
