import path from 'node:path';
import {
  ABSENT,
  findWorkflow,
  isGood,
  isSameContent,
  type FileOutcome,
  refuseFile,
} from './interpret-file.ts';
import type { NamedFile } from './scan-directory.ts';
import { composeResources, sortResourceProblems } from '../interpretation/compose-resources.ts';
import { compareTexts, type ResourceProblem, type StoreState } from '../port/resources.ts';

/** The delays before a file is read or published, in milliseconds. */
export interface ReadDelays {
  /** The debounce delay: a file is read when it was unchanged for this time. */
  readonly debounceMs: number;
  /** The grace period: a missing or invalid file keeps its last valid version for this time. */
  readonly graceMs: number;
}

/** The state of one file. Times are from a monotonic clock, in milliseconds. */
export interface FileTrack extends NamedFile {
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

export const createFileTrack = ({ file, role }: NamedFile, now: number): FileTrack => ({
  file,
  role,
  seen: undefined,
  since: now,
  outcome: ABSENT,
  retry: false,
  published: ABSENT,
});

/** Returns the track after a scan; a new version restarts the delays. */
export const withSighting = (
  track: FileTrack,
  seen: string | undefined,
  now: number,
): FileTrack => {
  if (seen === track.seen) return track;
  const outcome = seen === undefined ? ABSENT : undefined;
  return { ...track, seen, since: now, outcome, retry: false };
};

/**
 * Returns whether an outcome waits for the grace period. A file that is being written, or replaced in two steps, is missing or invalid for
 * a moment: its last version stays in use, and a new file is not reported earlier.
 */
const waitsForGrace = ({ published }: FileTrack, outcome: FileOutcome): boolean =>
  !isGood(outcome) && published.kind !== 'problems';

/** Returns the time when the file must be read or its outcome published; Infinity when neither is pending. */
export const computeDueTime = (track: FileTrack, { debounceMs, graceMs }: ReadDelays): number => {
  const { outcome, since } = track;
  if (outcome === undefined) return since + debounceMs;
  if (outcome === track.published) return Infinity;
  return since + (waitsForGrace(track, outcome) ? Math.max(debounceMs, graceMs) : debounceMs);
};

export const isReadDue = (track: FileTrack, now: number, { debounceMs }: ReadDelays): boolean =>
  (track.outcome === undefined || track.retry) && now >= track.since + debounceMs;

/** Publishes the outcome; an outcome with the same content keeps the identity of the published one. */
export const withPublished = (track: FileTrack, outcome: FileOutcome): FileTrack => {
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
export const composeState = (
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
