import type { NamedFile } from '../interpretation/interpret-file.ts';
import { isGood, saysTheSame, type Outcome } from '../interpretation/outcome.ts';

/** How patient the store is, in milliseconds. */
export interface Patience {
  /** How long a file must be left alone before it is read. */
  readonly debounceMs: number;
  /** How long a file that is gone or wrong keeps its last good version. */
  readonly graceMs: number;
}

/** What is known of one file. Times are of a monotonic clock, in milliseconds. */
export interface FileTrack extends NamedFile {
  /** The version that was seen last; undefined when the file was not there. */
  readonly seen: string | undefined;
  /** When this version was seen first. */
  readonly since: number;
  /** What this version amounts to; undefined until it is read. */
  readonly outcome: Outcome | undefined;
  /** To be read once more although the version is the same: it could not be read, or was read without patience. */
  readonly retry: boolean;
  /** What the store says. */
  readonly published: Outcome;
}

const ABSENT: Outcome = { kind: 'absent' };

/** A file that is seen for the first time. */
export const trackOf = ({ file, role }: NamedFile, now: number): FileTrack => ({
  file,
  role,
  seen: undefined,
  since: now,
  outcome: ABSENT,
  retry: false,
  published: ABSENT,
});

/** Takes in what was seen; another version starts its time anew. */
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
 * A file that is being written, or replaced in two steps, is gone or wrong for a moment: what is in use stays in use
 * for the grace, and a file that is new is not reported sooner.
 */
const isHeldBack = ({ published }: FileTrack, outcome: Outcome): boolean =>
  !isGood(outcome) && published.kind !== 'problems';

/** When the file is to be read, or its outcome to be published; Infinity when there is nothing to do. */
export const dueAt = (track: FileTrack, { debounceMs, graceMs }: Patience): number => {
  const { outcome, since } = track;
  if (outcome === undefined) return since + debounceMs;
  if (outcome === track.published) return Infinity;
  return since + (isHeldBack(track, outcome) ? Math.max(debounceMs, graceMs) : debounceMs);
};

/** Returns true when the file is to be read now. */
export const isToBeRead = (track: FileTrack, now: number, { debounceMs }: Patience): boolean =>
  (track.outcome === undefined || track.retry) && now >= track.since + debounceMs;

/** Publishes the outcome; one that says the same as before keeps the identity of what is in use. */
export const withPublished = (track: FileTrack, outcome: Outcome): FileTrack => {
  const published = saysTheSame(track.published, outcome) ? track.published : outcome;
  return { ...track, outcome: published, published };
};
