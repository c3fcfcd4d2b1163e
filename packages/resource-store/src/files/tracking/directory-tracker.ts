import type { StoreState } from '../../port/state.ts';
import { composeState } from './compose-state.ts';
import {
  dueAt,
  isToBeRead,
  trackOf,
  withPublished,
  withSighting,
  type FileTrack,
  type ReadDelays,
} from './file-track.ts';
import { interpretFile, refuseFile } from '../interpretation/interpret-file.ts';
import { readTextFile } from '@gateway/durable-files';
import { scanDirectory, type DirectoryScan } from './scan-directory.ts';

/** The number of concurrent reads: enough to use the file system, few enough to need few file descriptors. */
const MAX_CONCURRENT_READS = 16;

/** The result of one scan. */
export interface ScanResult {
  readonly state: StoreState;
  /** When the next scan is due unless the directory changes before; Infinity for never. */
  readonly nextDueAt: number;
  /** An urgent file changed while it was read, so that another scan is needed. */
  readonly isUnsettled: boolean;
}

/** Options of a scan. */
export interface ScanOptions extends ReadDelays {
  /** Files that are read and published without delay, because their write has ended. */
  readonly urgent?: ReadonlySet<string>;
}

type DelaysFor = (track: FileTrack) => ReadDelays;

const NONE: ReadonlySet<string> = new Set();
const IMMEDIATE: ReadDelays = { debounceMs: 0, graceMs: 0 };

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
  async scan({ urgent = NONE, ...delays }: ScanOptions): Promise<ScanResult> {
    const delaysFor: DelaysFor = ({ file }) => (urgent.has(file) ? IMMEDIATE : delays);
    const listing = await scanDirectory(this.#target.directory);
    this.#update(listing);
    await this.#readDue(delaysFor, urgent);
    for (const track of this.#tracks.values()) {
      this.#tracks.set(track.file, this.#publish(track, delaysFor(track)));
    }
    const state = composeState(this.#tracks.values(), listing.problems, this.#state);
    this.#state = state;
    this.#deleteAbsent();
    const tracks = [...this.#tracks.values()];
    const due = tracks.map((track) => dueAt(track, delays));
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

  async #readDue(delaysFor: DelaysFor, urgent: ReadonlySet<string>): Promise<void> {
    const now = this.#now();
    const due = [...this.#tracks.values()].filter((track) =>
      isToBeRead(track, now, delaysFor(track)),
    );
    for (let start = 0; start < due.length; start += MAX_CONCURRENT_READS) {
      const reads = due
        .slice(start, start + MAX_CONCURRENT_READS)
        .map((track) => this.#read(track, urgent.has(track.file)));
      for (const track of await Promise.all(reads)) this.#tracks.set(track.file, track);
    }
  }

  async #read(track: FileTrack, isUrgent: boolean): Promise<FileTrack> {
    const read = await readTextFile(track.file, { within: this.#target.directory });
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

  #publish(track: FileTrack, delays: ReadDelays): FileTrack {
    const { outcome } = track;
    if (outcome === undefined || this.#now() < dueAt(track, delays)) return track;
    return withPublished(track, outcome);
  }

  #deleteAbsent(): void {
    for (const { file, seen, published } of this.#tracks.values()) {
      if (seen === undefined && published.kind === 'absent') this.#tracks.delete(file);
    }
  }
}
