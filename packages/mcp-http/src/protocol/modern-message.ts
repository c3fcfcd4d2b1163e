import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { isPlainRequest } from './legacy-message.ts';
import { isLogLevel } from './log-level.ts';
import { NAMED_BY } from './modern-validation.ts';
import { MODERN_REVISIONS } from './protocol-results.ts';
import type { KnownHeaders } from './request-headers.ts';

/** The headers that mirror dependencies of a request of 2026-07-28. */
type MirroredHeaders = Pick<KnownHeaders, 'protocolVersion' | 'mcpMethod' | 'mcpName'>;

// eslint-disable-next-line @typescript-eslint/no-deprecated -- clients still send it
const LOG_LEVEL = LOG_LEVEL_META_KEY;

const isOptionalObject = (value: unknown): boolean => value === undefined || isJsonObject(value);
const isOptionalText = (value: unknown): boolean =>
  value === undefined || typeof value === 'string';
const isOptionalLevel = (value: unknown): boolean => value === undefined || isLogLevel(value);
const isOptionalFlag = (value: unknown): boolean =>
  value === undefined || typeof value === 'boolean';

/**
 * Returns whether a body is certainly one request of 2026-07-28 with a complete envelope that agrees with its headers. Such
 * requests are most of the traffic and skip the SDK's classification, which costs as much as the rest; every other body goes
 * through it.
 */
export const isPlainModernRequest = (
  body: unknown,
  headers: MirroredHeaders,
): body is JSONRPCRequest => {
  if (!isPlainRequest(body) || body.method === 'initialize') return false;
  const { params }: { readonly params?: unknown } = body;
  if (!isJsonObject(params)) return false;
  const meta = params['_meta'];
  return (
    isJsonObject(meta) &&
    isPlainEnvelope(meta) &&
    headers.protocolVersion === meta[PROTOCOL_VERSION_META_KEY] &&
    headers.mcpMethod === body.method &&
    mirrorsName(body.method, params, headers)
  );
};

const isPlainEnvelope = (meta: JsonObject): boolean => {
  const revision = meta[PROTOCOL_VERSION_META_KEY];
  const token = meta['progressToken'];
  return (
    typeof revision === 'string' &&
    MODERN_REVISIONS.includes(revision) &&
    (token === undefined || typeof token === 'string' || Number.isSafeInteger(token)) &&
    isPlainClient(meta[CLIENT_INFO_META_KEY]) &&
    isPlainCapabilities(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    isOptionalLevel(meta[LOG_LEVEL]) &&
    meta[RELATED_TASK_META_KEY] === undefined
  );
};

const isPlainClient = (client: unknown): boolean =>
  client === undefined ||
  (isJsonObject(client) &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    isOptionalText(client['title']) &&
    isOptionalText(client['description']) &&
    isOptionalText(client['websiteUrl']) &&
    client['icons'] === undefined);

const isPlainCapabilities = (capabilities: unknown): boolean => {
  if (!isJsonObject(capabilities)) return false;
  const { sampling, elicitation, roots, experimental, extensions } = capabilities;
  return (
    isPlainSampling(sampling) &&
    isPlainElicitation(elicitation) &&
    (roots === undefined || (isJsonObject(roots) && isOptionalFlag(roots['listChanged']))) &&
    experimental === undefined &&
    isPlainExtensions(extensions)
  );
};

const isPlainSampling = (sampling: unknown): boolean =>
  sampling === undefined ||
  (isJsonObject(sampling) &&
    isOptionalObject(sampling['context']) &&
    isOptionalObject(sampling['tools']));

const isPlainElicitation = (elicitation: unknown): boolean => {
  if (elicitation === undefined) return true;
  if (!isJsonObject(elicitation)) return false;
  const { form, url } = elicitation;
  if (!isOptionalObject(form) || !isOptionalObject(url)) return false;
  return !isJsonObject(form) || isOptionalFlag(form['applyDefaults']);
};

const isPlainExtensions = (extensions: unknown): boolean =>
  extensions === undefined ||
  (isJsonObject(extensions) && Object.values(extensions).every(isJsonObject));

/** A name in another writing, such as Base64, is for the whole check. */
const mirrorsName = (method: string, params: JsonObject, { mcpName }: MirroredHeaders): boolean => {
  const member = NAMED_BY.get(method);
  if (member === undefined) return true;
  const name = params[member];
  return typeof name === 'string' && name === mcpName && !name.startsWith('=?');
};
