import { isJsonObject } from '@gateway/call-contract';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
} from '@modelcontextprotocol/server';

/** Members of `_meta` that the gateway reads; the others are for servers, which receive them unchanged. */
const META_KEYS: readonly string[] = [
  'progressToken',
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients still send it
  LOG_LEVEL_META_KEY,
];

/** Deletes the members of an object that are `null`; returns whether there were any. */
const dropNulls = (value: unknown, keys?: readonly string[]): boolean => {
  if (!isJsonObject(value)) return false;
  let hasDropped = false;
  for (const key of keys ?? Object.keys(value)) {
    if (!Object.hasOwn(value, key) || value[key] !== null) continue;
    // Only messages with such a member pay for the deletion.
    hasDropped = Reflect.deleteProperty(value, key) || hasDropped;
  }
  return hasDropped;
};

/**
 * Deletes members of a parsed message, or of the messages of a batch, that are `null` and count as absent: `params`, each parameter, what
 * the gateway reads in `_meta`, and what a client states of itself. `arguments` and values for servers stay as they are.
 *
 * @returns whether a member was deleted
 */
export const dropNullMembers = (message: unknown): boolean => {
  if (Array.isArray(message)) return message.map(dropNullMembers).includes(true);
  if (!isJsonObject(message)) return false;
  const isResponse = Object.hasOwn(message, 'result') && Object.hasOwn(message, 'error');
  const dropped = [dropNulls(message, isResponse ? ['params', 'error'] : ['params'])];
  const { params } = message;
  if (!isJsonObject(params)) return dropped.includes(true);
  dropped.push(
    dropNulls(params),
    dropNulls(params['clientInfo']),
    dropNulls(params['capabilities']),
  );
  const { _meta: meta } = params;
  if (isJsonObject(meta)) {
    dropped.push(dropNulls(meta, META_KEYS));
    for (const key of [CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY])
      dropped.push(dropNulls(meta[key]));
  }
  return dropped.includes(true);
};
