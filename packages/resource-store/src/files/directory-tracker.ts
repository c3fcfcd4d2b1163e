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
import { interpretFile, problemOf } from './interpret-file.ts';
import type { Outcome } from './outcome.ts';
import { readTextFile } from './read-text-file.ts';
import { scanDirectory, type DirectoryScan } from './scan-directory.ts';

/** Enough to keep the file system busy, few enough to need few file descriptors. */
const FILES_AT_ONCE = 16;

/** What one look at the directory found. */
export interface Look {
  readonly state: StoreState;
  /** When the next look has something to do, unless the directory changes before; Infinity for never. */
  readonly nextDueAt: number;
}

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
  async look(patience: Patience): Promise<Look> {
    const scan = await scanDirectory(this.#target.directory);
    this.#takeIn(scan);
    await this.#readDue(patience);
    for (const track of this.#tracks.values()) {
      this.#tracks.set(track.file, this.#publish(track, patience));
    }
    const state = composeState(this.#tracks.values(), scan.problems, this.#state);
    this.#state = state;
    this.#forgetAbsent();
    const due = [...this.#tracks.values()].map((track) => dueAt(track, patience));
    return { state, nextDueAt: Math.min(Infinity, ...due) };
  }

  #takeIn(scan: DirectoryScan): void {
    const now = this.#now();
    for (const sighting of scan.sightings.values()) {
      const known = this.#tracks.get(sighting.file) ?? trackOf(sighting, now);
      this.#tracks.set(sighting.file, withSighting(known, sighting.fingerprint, now));
    }
    if (!scan.complete) return;
    for (const track of this.#tracks.values()) {
      if (scan.sightings.has(track.file)) continue;
      this.#tracks.set(track.file, withSighting(track, undefined, now));
    }
  }

  async #readDue(patience: Patience): Promise<void> {
    const now = this.#now();
    const due = [...this.#tracks.values()].filter((track) => isToBeRead(track, now, patience));
    for (let start = 0; start < due.length; start += FILES_AT_ONCE) {
      const reads = due.slice(start, start + FILES_AT_ONCE).map((track) => this.#read(track));
      for (const track of await Promise.all(reads)) this.#tracks.set(track.file, track);
    }
  }

  async #read(track: FileTrack): Promise<FileTrack> {
    const read = await readTextFile(track.file);
    switch (read.kind) {
      case 'text': {
        const outcome = interpretFile(track, read.text, this.#target.apiGroup);
        return { ...track, outcome, retry: false };
      }
      case 'refused':
        return { ...track, outcome: problemOutcome(track, read.message), retry: false };
      case 'failed':
        return { ...track, outcome: problemOutcome(track, read.message), retry: true };
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

const problemOutcome = (track: FileTrack, message: string): Outcome => ({
  kind: 'problems',
  problems: [problemOf(track, message)],
});
