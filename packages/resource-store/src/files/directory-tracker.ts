import type { StoreState } from '../store-state.ts';
import { composeState } from './compose-state.ts';
import {
  dueAt,
  isToBeRead,
  trackOf,
  withPublished,
  withSighting,
  type FileTrack,
  type Patience,
} from './file-track.ts';
import { interpretFile, refuseFile } from './interpret-file.ts';
import { readTextFile } from '@gateway/durable-files';
import { scanDirectory, type DirectoryScan } from './scan-directory.ts';

/** Enough to keep the file system busy, few enough to need few file descriptors. */
const FILES_AT_ONCE = 16;

/** What one look at the directory found. */
export interface Look {
  readonly state: StoreState;
  /** When the next look has something to do, unless the directory changes before; Infinity for never. */
  readonly nextDueAt: number;
  /** An urgent file changed while it was read; looking again tells what it says. */
  readonly isUnsettled: boolean;
}

/** How to look. */
export interface LookOptions extends Patience {
  /** Files that are read and published without patience, since whoever wrote them is done. */
  readonly urgent?: ReadonlySet<string>;
}

type PatienceFor = (track: FileTrack) => Patience;

const NONE: ReadonlySet<string> = new Set();
const AT_ONCE: Patience = { debounceMs: 0, graceMs: 0 };

/** Which directory, and the API group of its resources. */
export interface TrackedDirectory {
  readonly directory: string;
  readonly apiGroup?: string;
}

/**
 * Follows a configuration directory by looking at it: every look compares what is there with what is known, so that a
 * change is found however it was made and whether or not anyone reported it. Only changed files are read.
 */
export class DirectoryTracker {
  readonly #target: TrackedDirectory;
  readonly #now: () => number;
  #tracks = new Map<string, FileTrack>();
  #state: StoreState | undefined;

  constructor(target: TrackedDirectory, now: () => number) {
    this.#target = target;
    this.#now = now;
  }

  /** Looks once. Looks must not overlap. Never rejects for what is wrong with the files. */
  async look({ urgent = NONE, ...patience }: LookOptions): Promise<Look> {
    const patienceFor: PatienceFor = ({ file }) => (urgent.has(file) ? AT_ONCE : patience);
    const scan = await scanDirectory(this.#target.directory);
    this.#takeIn(scan);
    await this.#readDue(patienceFor, urgent);
    for (const track of this.#tracks.values()) {
      this.#tracks.set(track.file, this.#publish(track, patienceFor(track)));
    }
    const state = composeState(this.#tracks.values(), scan.problems, this.#state);
    this.#state = state;
    this.#forgetAbsent();
    const tracks = [...this.#tracks.values()];
    const due = tracks.map((track) => dueAt(track, patience));
    return {
      state,
      nextDueAt: Math.min(Infinity, ...due),
      isUnsettled: tracks.some(({ file, outcome }) => outcome === undefined && urgent.has(file)),
    };
  }

  #takeIn(scan: DirectoryScan): void {
    const now = this.#now();
    for (const sighting of scan.sightings.values()) {
      const known = this.#tracks.get(sighting.file) ?? trackOf(sighting, now);
      this.#tracks.set(sighting.file, withSighting(known, sighting.fingerprint, now));
    }
    for (const track of this.#tracks.values()) {
      if (scan.sightings.has(track.file) || scan.unseen.has(track.role.kind)) continue;
      this.#tracks.set(track.file, withSighting(track, undefined, now));
    }
  }

  async #readDue(patienceFor: PatienceFor, urgent: ReadonlySet<string>): Promise<void> {
    const now = this.#now();
    const due = [...this.#tracks.values()].filter((track) =>
      isToBeRead(track, now, patienceFor(track)),
    );
    for (let start = 0; start < due.length; start += FILES_AT_ONCE) {
      const reads = due
        .slice(start, start + FILES_AT_ONCE)
        .map((track) => this.#read(track, urgent.has(track.file)));
      for (const track of await Promise.all(reads)) this.#tracks.set(track.file, track);
    }
  }

  async #read(track: FileTrack, isUrgent: boolean): Promise<FileTrack> {
    const read = await readTextFile(track.file);
    switch (read.kind) {
      case 'text': {
        const outcome = interpretFile(track, read, this.#target.apiGroup);
        // What is written within the same tick of the clock looks like this version: it is read once more.
        return { ...track, outcome, retry: isUrgent };
      }
      case 'refused':
        return { ...track, outcome: refuseFile(track, read.message, read.times), retry: false };
      case 'failed':
        return { ...track, outcome: refuseFile(track, read.message), retry: true };
      case 'absent':
      case 'unsettled':
        // It changed since it was looked at: the next look sees what it is now.
        return { ...track, since: this.#now() };
    }
  }

  #publish(track: FileTrack, patience: Patience): FileTrack {
    const { outcome } = track;
    if (outcome === undefined || this.#now() < dueAt(track, patience)) return track;
    return withPublished(track, outcome);
  }

  #forgetAbsent(): void {
    for (const { file, seen, published } of this.#tracks.values()) {
      if (seen === undefined && published.kind === 'absent') this.#tracks.delete(file);
    }
  }
}
