import { MAX_RESOURCE_BYTES } from '@gateway/crd-schemas';
import { readTextFile, type ReadTextResult } from '@gateway/files';
import { composeState } from './file-track.ts';
import {
  computeDueTime,
  type FileTrack,
  isReadDue,
  type ReadDelays,
  createFileTrack,
  withPublished,
  withSighting,
} from './file-track.ts';
import { FileInterpreter, type ExternalYamlParser, refuseFile } from './interpret-file.ts';
import { areReported, type DirectoryScan, scanDirectory } from './scan-directory.ts';
import type { StoreState } from '../port/resources.ts';

/** The number of concurrent reads: enough to use the file system, few enough to need few file descriptors. */
const MAX_CONCURRENT_READS = 16;

export interface ScanResult {
  readonly state: StoreState;
  /** The time of the next scan unless the directory changes earlier; Infinity when none is due. */
  readonly nextDueAt: number;
  /** An urgent file changed while it was read, so that another scan is needed. */
  readonly isUnsettled: boolean;
  /** Every file was read, and the directory watches report all later changes if the file system supports watches. */
  readonly isReported: boolean;
}

export interface ScanOptions extends ReadDelays {
  /** Files that are read and published without delay, because their write has ended. */
  readonly urgent?: ReadonlySet<string>;
  /** Time limit of a scan, in milliseconds; the next scan reads the remaining files. No limit when absent. */
  readonly maxMs?: number;
}

type FindDelays = (track: FileTrack) => ReadDelays;

const NONE: ReadonlySet<string> = new Set();
const IMMEDIATE: ReadDelays = { debounceMs: 0, graceMs: 0 };

/** A configuration directory and the API group of its resources. */
export interface TrackedDirectory {
  readonly directory: string;
  readonly apiGroup?: string | undefined;
  /** Parses large files in another process; they are parsed in this one when absent. */
  readonly parseElsewhere?: ExternalYamlParser | undefined;
}

/**
 * Follows a configuration directory by scans. A scan compares every file with its known version, so it also finds changes that no watch
 * reported. Only changed files are read.
 */
export class DirectoryTracker {
  readonly #target: TrackedDirectory;
  readonly #now: () => number;
  readonly #interpreter: FileInterpreter;
  #tracks = new Map<string, FileTrack>();
  #state: StoreState | undefined;

  constructor(target: TrackedDirectory, now: () => number) {
    this.#target = target;
    this.#now = now;
    this.#interpreter = new FileInterpreter(target.apiGroup, target.parseElsewhere);
  }

  /** Scans once. Scans must not overlap. Never rejects because of invalid files. */
  async scan({ urgent = NONE, maxMs = Infinity, ...delays }: ScanOptions): Promise<ScanResult> {
    const findDelays: FindDelays = ({ file }) => (urgent.has(file) ? IMMEDIATE : delays);
    const listing = await scanDirectory(this.#target.directory);
    this.#update(listing);
    await this.#readDue(findDelays, urgent, maxMs);
    for (const track of this.#tracks.values()) {
      this.#tracks.set(track.file, this.#publish(track, findDelays(track)));
    }
    const state = composeState(this.#tracks.values(), listing.problems, this.#state);
    this.#state = state;
    this.#deleteAbsent();
    const tracks = [...this.#tracks.values()];
    const due = tracks.map((track) => computeDueTime(track, delays));
    return {
      state,
      nextDueAt: Math.min(Infinity, ...due),
      isUnsettled: tracks.some(({ file, outcome }) => outcome === undefined && urgent.has(file)),
      isReported: await canRelyOnWatches(listing, tracks),
    };
  }

  #update(scan: DirectoryScan): void {
    const now = this.#now();
    for (const sighting of scan.sightings.values()) {
      const known = this.#tracks.get(sighting.file) ?? createFileTrack(sighting, now);
      this.#tracks.set(sighting.file, withSighting(known, sighting.fingerprint, now));
    }
    for (const track of this.#tracks.values()) {
      if (scan.sightings.has(track.file) || scan.unseen.has(track.role.kind)) continue;
      this.#tracks.set(track.file, withSighting(track, undefined, now));
    }
  }

  /** Reads the files that are due: urgent ones first, then the latest changes, so that an edit does not wait for many others. */
  async #readDue(
    findDelays: FindDelays,
    urgent: ReadonlySet<string>,
    maxMs: number,
  ): Promise<void> {
    const now = this.#now();
    const isUrgent = ({ file }: FileTrack): boolean => urgent.has(file);
    const due = [...this.#tracks.values()]
      .filter((track) => isReadDue(track, now, findDelays(track)))
      .toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || b.since - a.since);
    for (let start = 0; start < due.length; start += MAX_CONCURRENT_READS) {
      const batch = due.slice(start, start + MAX_CONCURRENT_READS);
      const reads = await Promise.all(batch.map((track) => this.#readText(track)));
      for (const [index, track] of batch.entries()) {
        const read = reads[index];
        const isLate = this.#now() - now > maxMs && !isUrgent(track);
        if (read === undefined || isLate) continue;
        this.#tracks.set(track.file, await this.#interpret(track, read, isUrgent(track)));
      }
      const next = due[start + MAX_CONCURRENT_READS];
      if (this.#now() - now > maxMs && (next === undefined || !isUrgent(next))) return;
    }
  }

  #readText({ file, role }: FileTrack): Promise<ReadTextResult> {
    return readTextFile(file, {
      within: this.#target.directory,
      ...(role.kind === 'Configuration' ? {} : { maxBytes: MAX_RESOURCE_BYTES }),
    });
  }

  async #interpret(track: FileTrack, read: ReadTextResult, isUrgent: boolean): Promise<FileTrack> {
    switch (read.kind) {
      case 'text': {
        const outcome = await this.#interpreter.interpret(track, read);
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
    if (outcome === undefined || this.#now() < computeDueTime(track, delays)) return track;
    return withPublished(track, outcome);
  }

  #deleteAbsent(): void {
    for (const { file, seen, published } of this.#tracks.values()) {
      if (seen === undefined && published.kind === 'absent') this.#tracks.delete(file);
    }
  }
}

const canRelyOnWatches = async (
  { problems, sightings }: DirectoryScan,
  tracks: readonly FileTrack[],
): Promise<boolean> =>
  problems.length === 0 &&
  !tracks.some(({ retry, outcome }) => retry || outcome === undefined) &&
  (await areReported(sightings.values()));
