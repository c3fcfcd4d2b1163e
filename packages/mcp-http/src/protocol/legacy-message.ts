import { isJsonObject } from '@gateway/call-contract';
import {
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { LEGACY_REVISIONS } from './protocol-results.ts';
import type { HeaderReader, HeaderValue } from './request-headers.ts';

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id);

const isPlainMeta = (meta: unknown): boolean => {
  if (meta === undefined) return true;
  if (!isJsonObject(meta) || Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY)) return false;
  const token = meta['progressToken'];
  return (token === undefined || isId(token)) && meta[RELATED_TASK_META_KEY] === undefined;
};

/**
 * Returns whether a body is certainly one request of a 2025-era client. Such requests are most of the traffic and skip the SDK's
 * classification, which costs as much as the rest; every other body goes through it.
 */
export const isPlainLegacyRequest = (
  body: unknown,
  header: HeaderReader,
): body is JSONRPCRequest => {
  const lines = header('mcp-protocol-version');
  return isPlainLegacyBody(body) && namesLegacyRevision(lines?.length === 1 ? lines[0] : lines);
};

/** The same, by the body alone; `namesLegacyRevision` must hold too. */
export const isPlainLegacyBody = (body: unknown): body is JSONRPCRequest =>
  isPlainRequest(body) && isPlainParams(body.params);

/** Returns whether a body is certainly one request; its parameters are not checked. */
export const isPlainRequest = (body: unknown): body is JSONRPCRequest => {
  if (!isJsonObject(body)) return false;
  const { jsonrpc, id, method, params } = body;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    isId(id) &&
    // Any other member makes it another kind of message, or an invalid one.
    Object.keys(body).length === (params === undefined ? 3 : 4)
  );
};

const isPlainParams = (params: unknown): boolean =>
  params === undefined || (isJsonObject(params) && isPlainMeta(params['_meta']));

/**
 * Returns whether a body is certainly one notification of a 2025-era client; `namesLegacyRevision` must hold too. Each session starts with
 * one, and the SDK's classification tries three other kinds of messages before it finds the kind.
 */
export const isPlainLegacyNotification = (body: unknown): body is JSONRPCNotification => {
  if (!isJsonObject(body)) return false;
  const { jsonrpc, method, params } = body;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    // Any other member makes it another kind of message, or an invalid one.
    Object.keys(body).length === (params === undefined ? 2 : 3) &&
    isPlainParams(params)
  );
};

/** Returns whether the header names a revision of the 2025 era, or is absent. */
export const namesLegacyRevision = (revision: HeaderValue): boolean =>
  revision === undefined || (typeof revision === 'string' && LEGACY_REVISIONS.includes(revision));

/** Returns whether a message that is known to be valid JSON-RPC is a request, by the members that only a request has. */
export const isRequest = (message: unknown): message is JSONRPCRequest =>
  isJsonObject(message) && Object.hasOwn(message, 'method') && Object.hasOwn(message, 'id');

/** Returns whether a message that is known to be valid JSON-RPC is a notification. */
export const isNotification = (message: unknown): message is JSONRPCNotification =>
  isJsonObject(message) && Object.hasOwn(message, 'method') && !Object.hasOwn(message, 'id');
