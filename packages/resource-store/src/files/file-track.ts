import { ABSENT, isGood, isSameContent, type Outcome } from './interpret-file.ts';
import type { NamedFile } from './scan-directory.ts';

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
  readonly outcome: Outcome | undefined;
  /** True when the same version must be read again: it could not be read, or was read without the debounce delay. */
  readonly retry: boolean;
  /** The outcome that the state of the store contains. */
  readonly published: Outcome;
}

export const trackOf = ({ file, role }: NamedFile, now: number): FileTrack => ({
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
const waitsForGrace = ({ published }: FileTrack, outcome: Outcome): boolean =>
  !isGood(outcome) && published.kind !== 'problems';

/** Returns the time when the file must be read or its outcome published; Infinity when neither is pending. */
export const dueAt = (track: FileTrack, { debounceMs, graceMs }: ReadDelays): number => {
  const { outcome, since } = track;
  if (outcome === undefined) return since + debounceMs;
  if (outcome === track.published) return Infinity;
  return since + (waitsForGrace(track, outcome) ? Math.max(debounceMs, graceMs) : debounceMs);
};

export const isToBeRead = (track: FileTrack, now: number, { debounceMs }: ReadDelays): boolean =>
  (track.outcome === undefined || track.retry) && now >= track.since + debounceMs;

/** Publishes the outcome; an outcome with the same content keeps the identity of the published one. */
export const withPublished = (track: FileTrack, outcome: Outcome): FileTrack => {
  const published = isSameContent(track.published, outcome) ? track.published : outcome;
  return { ...track, outcome: published, published };
};
