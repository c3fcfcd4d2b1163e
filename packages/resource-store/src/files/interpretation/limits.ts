/** The maximum number of files of one resource kind. */
export const MAX_RESOURCE_FILES = 4_096;

/** The debounce delay of a changed file, in milliseconds. */
export const DEFAULT_DEBOUNCE_MS = 100;
/** The time for which a missing or invalid file keeps its last valid version, in milliseconds. */
export const GRACE_MS = 300;
/** The interval of the periodic comparison that finds changes the operating system does not report, in milliseconds. */
export const RESCAN_MS = 400;
