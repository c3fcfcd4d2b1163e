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
 * Whether a body is beyond doubt one request of a 2025-era client.
 * Such requests are the bulk of the traffic and skip the SDK's classification, which costs as much as the rest;
 * everything else goes through it.
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

/** Whether a body is one request, beyond doubt; of its parameters nothing is known. */
export const isPlainRequest = (body: unknown): body is JSONRPCRequest => {
  if (!isJsonObject(body)) return false;
  const { jsonrpc, id, method, params } = body;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    isId(id) &&
    // A member beyond these makes it something else, or nothing.
    Object.keys(body).length === (params === undefined ? 3 : 4)
  );
};

const isPlainParams = (params: unknown): boolean =>
  params === undefined || (isJsonObject(params) && isPlainMeta(params['_meta']));

/** Whether the header names a revision of the 2025 era, or none. */
export const namesLegacyRevision = (revision: HeaderValue): boolean =>
  revision === undefined || (typeof revision === 'string' && LEGACY_REVISIONS.includes(revision));

/** A message that is known to be valid JSON-RPC, told apart by what only one kind has. */
export const isRequest = (message: unknown): message is JSONRPCRequest =>
  isJsonObject(message) && Object.hasOwn(message, 'method') && Object.hasOwn(message, 'id');

/** A message that is known to be valid JSON-RPC and wants no answer. */
export const isNotification = (message: unknown): message is JSONRPCNotification =>
  isJsonObject(message) && Object.hasOwn(message, 'method') && !Object.hasOwn(message, 'id');
