import type { ServerResponse } from 'node:http';

const waiting = new WeakSet<ServerResponse>();

/** Marks a response as an event stream behind which nothing runs: its client waits for changes. */
export const markWaitingStream = (response: ServerResponse): void => {
  waiting.add(response);
};

/** Returns whether a response is such a stream. */
export const isWaitingStream = (response: ServerResponse): boolean => waiting.has(response);
