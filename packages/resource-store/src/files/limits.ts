/** The size from which a file is parsed in another process, in characters. Parsing a smaller text takes a few milliseconds. */
export const MIN_LARGE_CHARS = 4_096;
/** The time for which files are validated without a pause for other work, in milliseconds. */
export const MAX_BUSY_MS = 10;
/** The time that one scan spends on parsing files before it publishes their resources, in milliseconds. */
export const MAX_SCAN_MS = 250;
/** The maximum number of files of one resource kind. */
export const MAX_RESOURCE_FILES = 4_096;

/** The debounce delay of a changed file, in milliseconds. */
export const DEFAULT_DEBOUNCE_MS = 100;
/** The time for which a missing or invalid file keeps its last valid version, in milliseconds. */
export const GRACE_MS = 300;
/** The interval of the periodic comparison that finds changes the operating system does not report, in milliseconds. */
export const RESCAN_MS = 400;
/** The same interval while the operating system reports every change: it only drops reports when too many wait. */
export const REPORTED_RESCAN_MS = 30_000;
/**
 * The interval, while the system reports every change, at which the directories are compared with those that are watched: no watch of a directory
 * reports that a directory above it was replaced.
 */
export const REPLACED_DIRECTORY_MS = 2_000;
