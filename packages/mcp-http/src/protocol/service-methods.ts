import type { CallMethod, ListMethod } from './mcp-service.ts';

/** The methods that a service answers at once, with a list. */
export const LIST_METHODS: readonly ListMethod[] = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
];

/** The methods that a service may answer asynchronously. */
export const CALL_METHODS: readonly CallMethod[] = [
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
];

/** The method of 2026-07-28 clients that opens a stream for changes. */
export const LISTEN_METHOD = 'subscriptions/listen';

/** Returns whether requests of a method reach the service and may be asynchronous. */
export const isCallMethod = (method: string): boolean =>
  method === 'tools/call' || (CALL_METHODS as readonly string[]).includes(method);
