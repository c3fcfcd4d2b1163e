import type { DirectoryHints } from '@gateway/durable-files';
import type { Look } from './files/directory-tracker.ts';
import { RESCAN_MS } from './limits.ts';
import { resourceProblemText, type ResourceProblem } from './resource-problem.ts';
import type { StoreState } from './store-state.ts';

/** How long to gather hints before looking, in milliseconds. */
const GATHER_MS = 20;
/** Looking takes at most this share of the time, however large the directory. */
const LARGEST_SHARE = 0.1;
/** How often to look for files that somebody else goes on changing, and the pause between, in milliseconds. */
const URGENT_LOOKS = 10;
const URGENT_PAUSE_MS = 20;

const NONE: ReadonlySet<string> = new Set();

/** What the loop works with. */
export interface FileStoreLoopParts {
  readonly first: StoreState;
  readonly look: (urgent: ReadonlySet<string>) => Promise<Look>;
  readonly hints: (onHint: () => void) => DirectoryHints;
  readonly onProblem?: (problem: ResourceProblem) => void;
}

type Listener = (state: StoreState, previous: StoreState) => void;

/** Looks when a hint comes, when a file falls due, and at intervals; one look at a time. */
export class FileStoreLoop {
  readonly #parts: FileStoreLoopParts;
  readonly #hints: DirectoryHints;
  readonly #listeners = new Set<Listener>();
  #current: StoreState;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #running: Promise<boolean> | undefined;
  #hintsSoFar = 0;
  #isClosed = false;

  constructor(parts: FileStoreLoopParts) {
    this.#parts = parts;
    this.#current = parts.first;
    this.#hints = parts.hints(() => {
      this.#hinted();
    });
    this.#reportNew(new Set(), parts.first);
    // The first look of the loop also finds what changed before the watches stood.
    this.#schedule(0);
  }

  get current(): StoreState {
    return this.#current;
  }

  subscribe(listener: Listener): () => void {
    // A listener of its own, so that subscribing one function twice makes two subscriptions.
    const own: Listener = (state, previous) => {
      listener(state, previous);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  /** Takes these files in as they are now; listeners were told when it is done. */
  async lookNow(files: ReadonlySet<string>): Promise<void> {
    for (let looks = 0; looks < URGENT_LOOKS; looks += 1) {
      while (this.#running !== undefined) await this.#running;
      if (this.#isClosed) return;
      this.#running = this.#lookOnce(files);
      if (!(await this.#running)) return;
      await new Promise((wake) => setTimeout(wake, URGENT_PAUSE_MS));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    clearTimeout(this.#timer);
    this.#hints.close();
    await this.#running;
  }

  #hinted(): void {
    this.#hintsSoFar += 1;
    if (this.#running === undefined) this.#schedule(GATHER_MS);
  }

  /** Looks after this time, or sooner when a sooner look is planned. */
  #schedule(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (this.#isClosed || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      // Whoever looks now plans the next look.
      if (this.#running === undefined) this.#running = this.#lookOnce(NONE);
    }, delayMs);
  }

  /** @returns whether one of the urgent files changed while it was read */
  async #lookOnce(urgent: ReadonlySet<string>): Promise<boolean> {
    const startedAt = performance.now();
    const hintsBefore = this.#hintsSoFar;
    await this.#hints.refresh();
    const { state, nextDueAt, isUnsettled } = await this.#parts.look(urgent);
    if (!this.#isClosed) this.#take(state);
    this.#running = undefined;
    const now = performance.now();
    const isHinted = this.#hintsSoFar > hintsBefore;
    const soonest = isHinted ? GATHER_MS : Math.max(GATHER_MS, nextDueAt - now);
    const rescan = Math.max(RESCAN_MS, (now - startedAt) / LARGEST_SHARE);
    this.#schedule(Math.min(soonest, rescan));
    return isUnsettled;
  }

  #take(state: StoreState): void {
    const previous = this.#current;
    if (state === previous) return;
    this.#current = state;
    this.#reportNew(new Set(problemsOf(previous).map(resourceProblemText)), state);
    for (const listener of [...this.#listeners]) listener(state, previous);
  }

  #reportNew(known: ReadonlySet<string>, state: StoreState): void {
    const { onProblem } = this.#parts;
    if (onProblem === undefined) return;
    for (const problem of problemsOf(state)) {
      if (!known.has(resourceProblemText(problem))) onProblem(problem);
    }
  }
}

const problemsOf = ({ configProblems, problems }: StoreState): readonly ResourceProblem[] => [
  ...configProblems,
  ...problems,
];
