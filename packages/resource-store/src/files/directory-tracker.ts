import path from 'node:path';
import { MAX_RESOURCE_BYTES } from '@gateway/crd-schemas';
import { type ReadTextResult, readTextFile } from '@gateway/files';
import { composeResources, sortResourceProblems } from '../interpretation/interpret-resources.ts';
import { type ResourceProblem, type StoreState, compareTexts } from '../port/resources.ts';
import {
  ABSENT,
  type ExternalYamlParser,
  FileInterpreter,
  type FileOutcome,
  findWorkflow,
  isGood,
  isSameContent,
  refuseFile,
} from './interpret-file.ts';
import {
  type DirectoryScan,
  type NamedFile,
  areReported,
  scanDirectory,
} from './scan-directory.ts';

/** The delays before a file is read or published, in milliseconds. */
export interface ReadDelays {
  /** The debounce delay: a file is read when it was unchanged for this time. */
  readonly debounceMs: number;
  /** The grace period: a missing or invalid file keeps its last valid version for this time. */
  readonly graceMs: number;
}

/** The state of one file. Times are from a monotonic clock, in milliseconds. */
interface FileTrack extends NamedFile {
  /** The version at the last scan; undefined when the file did not exist. */
  readonly seen: string | undefined;
  /** The time when this version was first seen. */
  readonly since: number;
  /** The outcome of this version; undefined until it is read. */
  readonly outcome: FileOutcome | undefined;
  /** True when the same version must be read again: it could not be read, or was read without the debounce delay. */
  readonly retry: boolean;
  /** The outcome that the state of the store contains. */
  readonly published: FileOutcome;
}

const createFileTrack = ({ file, role }: NamedFile, now: number): FileTrack => ({
  file,
  role,
  seen: undefined,
  since: now,
  outcome: ABSENT,
  retry: false,
  published: ABSENT,
});

/** Returns the track after a scan; a new version restarts the delays. */
const withSighting = (track: FileTrack, seen: string | undefined, now: number): FileTrack => {
  if (seen === track.seen) return track;
  const outcome = seen === undefined ? ABSENT : undefined;
  return { ...track, seen, since: now, outcome, retry: false };
};

/**
 * Returns whether an outcome waits for the grace period. A file that is being written, or replaced in two steps, is missing or invalid for
 * a moment: its last version stays in use, and a new file is not reported earlier.
 */
const needsGrace = ({ published }: FileTrack, outcome: FileOutcome): boolean =>
  !isGood(outcome) && published.kind !== 'problems';

/** Returns the time when the file must be read or its outcome published; Infinity when neither is pending. */
const computeDueTime = (track: FileTrack, { debounceMs, graceMs }: ReadDelays): number => {
  const { outcome, since } = track;
  if (outcome === undefined) return since + debounceMs;
  if (outcome === track.published) return Infinity;
  return since + (needsGrace(track, outcome) ? Math.max(debounceMs, graceMs) : debounceMs);
};

const isReadDue = (track: FileTrack, now: number, { debounceMs }: ReadDelays): boolean =>
  (track.outcome === undefined || track.retry) && now >= track.since + debounceMs;

/** Publishes the outcome; an outcome with the same content keeps the identity of the published one. */
const withPublished = (track: FileTrack, outcome: FileOutcome): FileTrack => {
  const published = isSameContent(track.published, outcome) ? track.published : outcome;
  return { ...track, outcome: published, published };
};

/** Returns the problem of several files that define one resource; none of them is used. */
export const formatAmbiguousFiles = (fileNames: readonly string[]): string =>
  `${fileNames.join(' and ')} define the same resource; keep one of them`;

/** Groups the tracks of files that define the same resource: `a.yaml` and `a.yml`. */
const groupTracks = (tracks: Iterable<FileTrack>): Iterable<readonly FileTrack[]> => {
  const groups = new Map<string, FileTrack[]>();
  for (const track of tracks) {
    const { role } = track;
    const key = role.kind === 'Configuration' ? role.kind : `${role.kind}/${role.name}`;
    groups.set(key, [...(groups.get(key) ?? []), track]);
  }
  return groups.values();
};

/** Returns the outcome of several files that define one resource: a problem, and none of the files. */
const refuseAmbiguous = (present: readonly FileTrack[], last: FileTrack): FileOutcome => {
  const message = formatAmbiguousFiles(present.map(({ file }) => path.basename(file)));
  const known = findWorkflow(last.published);
  const refused = refuseFile(last, message, known);
  return refused.kind === 'problems' && refused.workflow !== undefined
    ? { ...refused, workflow: { ...refused.workflow, text: known?.text ?? '' } }
    : refused;
};

/** Returns the outcome of a group: an existing file has priority over a deleted one that is still in its grace period. */
const findOutcome = (group: readonly FileTrack[]): FileOutcome => {
  const present = group
    .filter(({ seen }) => seen !== undefined)
    .sort((a, b) => compareTexts(a.file, b.file));
  const last = present.at(-1);
  if (last !== undefined && present.length > 1) return refuseAmbiguous(present, last);
  const outcomes = [...present, ...group].map(({ published }) => published);
  return outcomes.find(isGood) ?? outcomes.find(({ kind }) => kind === 'problems') ?? ABSENT;
};

const NOTHING: StoreState = {
  config: undefined,
  configProblems: [],
  servers: [],
  workflows: [],
  problems: [],
};

const isOfConfiguration = ({ kind }: ResourceProblem): boolean => kind === 'Configuration';

/** Composes the state from the published files. Pure. Equal parts keep their identity from `previous`, and an equal state is `previous` itself. */
const composeState = (
  tracks: Iterable<FileTrack>,
  directoryProblems: readonly ResourceProblem[],
  previous: StoreState = NOTHING,
): StoreState => {
  const outcomes = [...groupTracks(tracks)].map(findOutcome);
  const fileProblems = outcomes.flatMap((outcome) =>
    outcome.kind === 'problems' ? outcome.problems : [],
  );
  const problems = [...directoryProblems, ...fileProblems];
  const resources = composeResources(
    {
      servers: outcomes.flatMap((outcome) => (outcome.kind === 'server' ? [outcome.server] : [])),
      workflows: outcomes.flatMap((outcome) => findWorkflow(outcome) ?? []),
      problems: problems.filter((problem) => !isOfConfiguration(problem)),
    },
    previous,
  );
  // An invalid file leaves the last version in use.
  const retained = fileProblems.some(isOfConfiguration) ? previous.config : undefined;
  const config = outcomes.find(({ kind }) => kind === 'config');
  const next: StoreState = {
    ...resources,
    config: config?.kind === 'config' ? config.config : retained,
    configProblems: sortResourceProblems(
      previous.configProblems,
      problems.filter(isOfConfiguration),
    ),
  };
  const isSame =
    resources === previous &&
    next.config === previous.config &&
    next.configProblems === previous.configProblems;
  return isSame ? previous : next;
};

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
