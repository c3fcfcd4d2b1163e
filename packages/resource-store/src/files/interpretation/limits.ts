/** The maximum number of files of one resource kind. */
export const MAX_RESOURCE_FILES = 4_096;

/** How long a file must be unchanged before it is read, in milliseconds. */
export const DEFAULT_DEBOUNCE_MS = 100;
/** How long a file that is missing or invalid keeps its last valid version, in milliseconds. */
export const GRACE_MS = 300;
/** The interval of the periodic comparison that finds changes the operating system does not report, in milliseconds. */
export const RESCAN_MS = 400;
