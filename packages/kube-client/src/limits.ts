/** The default time limit of a request including its retries, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** The maximum size of a response, in bytes; a page of 500 large objects has about 10 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** The number of objects in one page of a list. */
export const PAGE_SIZE = 500;
/** The maximum number of objects in a list. */
export const MAX_LISTED = 20_000;
/** The number of times a list is restarted after its continue token expired. */
export const MAX_LIST_STARTS = 3;
/** The time for which an idle connection stays open, in milliseconds; shorter than that of servers and load balancers. */
export const IDLE_CONNECTION_MS = 20_000;
/** The maximum number of concurrent requests, without watches. Further requests wait within their time limit. */
export const MAX_CONNECTIONS = 64;
/** The time after which the API is asked to end a watch, in seconds. */
export const WATCH_SECONDS = 240;
/** The time for which a watch may continue after its timeout, in milliseconds. */
export const WATCH_GRACE_MS = 30_000;
/** The maximum length of a line of a watch, in bytes. */
export const MAX_WATCH_LINE_BYTES = 16 * 1024 * 1024;
/** The time without an event or a bookmark after which a watch is opened again, in milliseconds. Servers send a bookmark each minute. */
export const WATCH_SILENCE_MS = 150_000;
/** The time after which an idle stream is probed for a lost peer, in milliseconds. */
export const STREAM_KEEP_ALIVE_MS = 30_000;
/** The number of deleted objects that are remembered, so that a late event does not restore them. */
export const MAX_DELETED = 10_000;
