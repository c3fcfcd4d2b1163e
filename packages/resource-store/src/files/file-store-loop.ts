import type { DirectoryHints } from '@gateway/files';
import type { ScanResult } from './directory-tracker.ts';
import { REPLACED_DIRECTORY_MS, REPORTED_RESCAN_MS, RESCAN_MS } from './limits.ts';
import { type ResourceProblem, resourceProblemText, type StoreState } from '../port/resources.ts';

/** The delay between a hint and its scan, in which further hints are collected, in milliseconds. */
const GATHER_MS = 20;
/** The maximum share of time spent on scans, however large the directory. */
const MAX_SCAN_SHARE = 0.1;
/** The maximum number of scans for urgent files that change during the scan, and the pause between two of them in milliseconds. */
const URGENT_SCANS = 10;
const URGENT_PAUSE_MS = 20;

const NONE: ReadonlySet<string> = new Set();

/** The dependencies of the loop. */
export interface FileStoreLoopParts {
  readonly first: StoreState;
  readonly scan: (urgent: ReadonlySet<string>) => Promise<ScanResult>;
  readonly hints: (onHint: () => void) => DirectoryHints;
  readonly onProblem?: (problem: ResourceProblem) => void;
}

type Listener = (state: StoreState, previous: StoreState) => void;

/** Scans after a hint, when a file is due, and at intervals, which are long while the system reports every change; one scan at a time. */
export class FileStoreLoop {
  readonly #parts: FileStoreLoopParts;
  readonly #hints: DirectoryHints;
  readonly #listeners = new Set<Listener>();
  #current: StoreState;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #running: Promise<boolean> | undefined;
  #hintCount = 0;
  /** Until then, changes are hints. */
  #reportedUntil = 0;
  #isClosed = false;

  constructor(parts: FileStoreLoopParts) {
    this.#parts = parts;
    this.#current = parts.first;
    this.#hints = parts.hints(() => {
      this.#onHint();
    });
    this.#reportNew(new Set(), parts.first);
    // The first scan also finds changes from before the watches started.
    this.#schedule(0);
  }

  get current(): StoreState {
    return this.#current;
  }

  subscribe(listener: Listener): () => void {
    // A new function, so that one listener can be subscribed twice.
    const own: Listener = (state, previous) => {
      listener(state, previous);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  /** Reads the current content of these files. Resolves when the listeners were called. */
  async readNow(files: ReadonlySet<string>): Promise<void> {
    for (let scans = 0; scans < URGENT_SCANS; scans += 1) {
      while (this.#running !== undefined) await this.#running;
      if (this.#isClosed) return;
      this.#running = this.#scanOnce(files);
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

  #onHint(): void {
    this.#hintCount += 1;
    this.#reportedUntil = 0;
    if (this.#running === undefined) this.#schedule(GATHER_MS);
  }

  /** Schedules a scan after this time unless an earlier one is scheduled. */
  #schedule(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (this.#isClosed || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      // A running scan schedules the next one.
      if (this.#running !== undefined) return;
      if (this.#isReported()) this.#schedule(REPLACED_DIRECTORY_MS);
      else this.#running = this.#scanOnce(NONE);
    }, delayMs);
  }

  #isReported(): boolean {
    return performance.now() < this.#reportedUntil && this.#hints.isReported();
  }

  /** Scans once. Returns whether an urgent file changed during the scan. */
  async #scanOnce(urgent: ReadonlySet<string>): Promise<boolean> {
    const startedAt = performance.now();
    const hintCountBefore = this.#hintCount;
    await this.#hints.refresh();
    const { state, nextDueAt, isUnsettled, isReported } = await this.#parts.scan(urgent);
    if (!this.#isClosed) this.#take(state);
    this.#running = undefined;
    const now = performance.now();
    const isHinted = this.#hintCount > hintCountBefore;
    const isQuiet = isReported && !isHinted && nextDueAt === Infinity;
    this.#reportedUntil = isQuiet ? now + REPORTED_RESCAN_MS : 0;
    const soonest = isHinted ? GATHER_MS : Math.max(GATHER_MS, nextDueAt - now);
    const rescan = Math.max(RESCAN_MS, (now - startedAt) / MAX_SCAN_SHARE);
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
