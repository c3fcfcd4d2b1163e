import type { StoreState } from '../../port/state.ts';
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
import { interpretFile, refuseFile } from '../interpretation/interpret-file.ts';
import { readTextFile } from '@gateway/durable-files';
import { scanDirectory, type DirectoryScan } from './scan-directory.ts';

/** The number of concurrent reads: enough to use the file system, few enough to need few file descriptors. */
const FILES_IMMEDIATE = 16;

/** The result of one scan. */
export interface ScanResult {
  readonly state: StoreState;
  /** When the next scan is due unless the directory changes before; Infinity for never. */
  readonly nextDueAt: number;
  /** An urgent file changed while it was read, so that another scan is needed. */
  readonly isUnsettled: boolean;
}

/** Options of a scan. */
export interface ScanOptions extends Patience {
  /** Files that are read and published at once, because their write has ended. */
  readonly urgent?: ReadonlySet<string>;
}

type PatienceFor = (track: FileTrack) => Patience;

const NONE: ReadonlySet<string> = new Set();
const IMMEDIATE: Patience = { debounceMs: 0, graceMs: 0 };

/** A configuration directory and the API group of its resources. */
export interface TrackedDirectory {
  readonly directory: string;
  readonly apiGroup?: string;
}

/**
 * Follows a configuration directory by scans. A scan compares every file with the known version, so that it finds a change however it was made,
 * reported or not. Only changed files are read.
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

  /** Scans once. Scans must not overlap. Never rejects because of invalid files. */
  async scan({ urgent = NONE, ...patience }: ScanOptions): Promise<ScanResult> {
    const patienceFor: PatienceFor = ({ file }) => (urgent.has(file) ? IMMEDIATE : patience);
    const listing = await scanDirectory(this.#target.directory);
    this.#update(listing);
    await this.#readDue(patienceFor, urgent);
    for (const track of this.#tracks.values()) {
      this.#tracks.set(track.file, this.#publish(track, patienceFor(track)));
    }
    const state = composeState(this.#tracks.values(), listing.problems, this.#state);
    this.#state = state;
    this.#deleteAbsent();
    const tracks = [...this.#tracks.values()];
    const due = tracks.map((track) => dueAt(track, patience));
    return {
      state,
      nextDueAt: Math.min(Infinity, ...due),
      isUnsettled: tracks.some(({ file, outcome }) => outcome === undefined && urgent.has(file)),
    };
  }

  #update(scan: DirectoryScan): void {
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
    for (let start = 0; start < due.length; start += FILES_IMMEDIATE) {
      const reads = due
        .slice(start, start + FILES_IMMEDIATE)
        .map((track) => this.#read(track, urgent.has(track.file)));
      for (const track of await Promise.all(reads)) this.#tracks.set(track.file, track);
    }
  }

  async #read(track: FileTrack, isUrgent: boolean): Promise<FileTrack> {
    const read = await readTextFile(track.file);
    switch (read.kind) {
      case 'text': {
        const outcome = interpretFile(track, read, this.#target.apiGroup);
        // A write within the same clock tick has the same fingerprint, so that the file is read again.
        return { ...track, outcome, retry: isUrgent };
      }
      case 'refused':
        return { ...track, outcome: refuseFile(track, read.message, read.times), retry: false };
      case 'failed':
        return { ...track, outcome: refuseFile(track, read.message), retry: true };
      case 'absent':
      case 'unsettled':
        // The file changed since the scan: the next scan finds its new version.
        return { ...track, since: this.#now() };
    }
  }

  #publish(track: FileTrack, patience: Patience): FileTrack {
    const { outcome } = track;
    if (outcome === undefined || this.#now() < dueAt(track, patience)) return track;
    return withPublished(track, outcome);
  }

  #deleteAbsent(): void {
    for (const { file, seen, published } of this.#tracks.values()) {
      if (seen === undefined && published.kind === 'absent') this.#tracks.delete(file);
    }
  }
}
