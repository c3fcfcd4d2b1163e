/** How long the Kubernetes API may take to answer a request, repetitions included, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** The largest answer that is read, in bytes: a page of 500 large releases has some 10 MB. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Objects of one page of a list. */
export const PAGE_SIZE = 500;
/** The most objects of a list. */
export const MAX_LISTED = 20_000;
/** How often a list is begun again after it grew older than the API remembers. */
export const MAX_LIST_STARTS = 3;
/** The longest text of the Kubernetes API that is passed on, in characters. */
export const MAX_TOLD_CHARS = 2_000;
/** How long an idle connection is kept for the next request, in milliseconds; shorter than servers and balancers keep theirs. */
export const IDLE_CONNECTION_MS = 20_000;
/** Requests to the API at a time, watches not counted; others wait their turn, within their time limit. */
export const MAX_CONNECTIONS = 64;
/** Pods of one agent whose events are looked up. */
export const MAX_PODS_WITH_EVENTS = 20;
/** After how long the API is asked to end a watch, so that it is begun again, in seconds. */
export const WATCH_SECONDS = 240;
/** How long a watch may go on after it should have ended, in milliseconds. */
export const WATCH_GRACE_MS = 30_000;
/** The longest line of a watch, in bytes. */
export const MAX_WATCH_LINE_BYTES = 16 * 1024 * 1024;
