import { DirectoryHints } from '@gateway/files';
import { ObservableState } from '../port/observable-state.ts';
import { type ResourceProblem, resourceProblemText, type StoreState } from '../port/resources.ts';
import type { DirectoryTracker, TrackedDirectory } from './directory-tracker.ts';
import {
  DEFAULT_DEBOUNCE_MS,
  GRACE_MS,
  MAX_SCAN_MS,
  REPLACED_DIRECTORY_MS,
  REPORTED_RESCAN_MS,
  RESCAN_MS,
} from './limits.ts';
import { listResourceDirectories } from './scan-directory.ts';

/** The delay between a hint and its scan, in which further hints are collected, in milliseconds. */
const GATHER_MS = 20;
/** The maximum share of time spent on scans, however large the directory. */
const MAX_SCAN_SHARE = 0.1;
/** The maximum number of scans for urgent files that change during the scan, and the pause between two of them in milliseconds. */
const URGENT_SCANS = 10;
const URGENT_PAUSE_MS = 20;

const NONE: ReadonlySet<string> = new Set();

/** Options of following a configuration directory. */
export interface FileStoreOptions extends TrackedDirectory {
  /** Called once for each problem that appears, including those at the start. Must not throw. */
  readonly onProblem?: (problem: ResourceProblem) => void;
  /** The debounce delay of a changed file, in milliseconds; 100 when absent. */
  readonly debounceMs?: number;
}

/** Scans after a hint, when a file is due, and at intervals, which are long while the system reports every change; one scan at a time. */
export class FileStoreLoop {
  readonly #tracker: DirectoryTracker;
  readonly #options: FileStoreOptions;
  readonly #hints: DirectoryHints;
  readonly state: ObservableState<StoreState>;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #running: Promise<boolean> | undefined;
  #hintCount = 0;
  /** Until then, changes are hints. */
  #reportedUntil = 0;
  #isClosed = false;

  constructor(tracker: DirectoryTracker, first: StoreState, options: FileStoreOptions) {
    this.#tracker = tracker;
    this.#options = options;
    this.state = new ObservableState(first);
    const { directory } = options;
    this.#hints = new DirectoryHints(directory, listResourceDirectories(directory), () => {
      this.#onHint();
    });
    this.#reportNew(new Set(), first);
    this.state.subscribe((state, previous) => {
      this.#reportNew(new Set(problemsOf(previous).map(resourceProblemText)), state);
    });
    // The first scan also finds changes from before the watches started.
    this.#schedule(0);
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
    this.state.close();
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
    const { debounceMs = DEFAULT_DEBOUNCE_MS } = this.#options;
    const scan = { debounceMs, graceMs: GRACE_MS, urgent, maxMs: MAX_SCAN_MS };
    const { state, nextDueAt, isUnsettled, isReported } = await this.#tracker.scan(scan);
    this.state.set(state);
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

  #reportNew(known: ReadonlySet<string>, state: StoreState): void {
    const { onProblem } = this.#options;
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
