import { type CallResult, type JsonObject, isJsonObject } from '@gateway/call-contract';
import { type MemberTexts, RawObject, changeMembers, jsonText, keptText } from '@gateway/mcp-wire';
import { SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { CallMethod, ListMethod, McpService, ServiceCapabilities } from './mcp-service.ts';

/** The members that every 2026-07-28 result of a service carries. */
export interface ResultStamp {
  /** The key of `_meta` under which the server names itself, and its value. */
  readonly metaKey: string;
  readonly metaValue: unknown;
  /** Further members, for a result that has no members of these names. */
  readonly members: JsonObject;
  /** The value as JSON. */
  readonly valueText: string;
  /** All members as JSON, for a result that has none of them. */
  readonly memberText: string;
}

/**
 * Returns a result as it is written. The text that it came with or keeps is used as it is; a stamp only adds members. A `resultType`, a
 * member or a `_meta` key of the stamp that the result has already stays.
 *
 * @throws TypeError when the result is no object or cannot be written as JSON
 */
export const resultJson = (
  result: CallResult,
  stamp: ResultStamp | undefined,
): string | RawObject => {
  if (!(result instanceof RawObject)) return resultText(result, stamp);
  return stamp === undefined ? result : result.with(stampTexts(result, stamp));
};

/** Returns the JSON text of a result that is a value. */
export const resultText = (result: JsonObject, stamp: ResultStamp | undefined): string => {
  if (!isJsonObject(result)) throw new TypeError('A result must be an object');
  if (stamp === undefined) return jsonText(result);
  if (!hasNoneOf(stamp, result)) return JSON.stringify(stamped(result, stamp));
  const text = jsonText(result);
  return `{${stamp.memberText}${text === '{}' ? '' : ','}${text.slice(1)}`;
};

/**
 * Returns a result of a tool for clients of the 2025 revisions, whose structured content must be an object: that of a 2026-07-28 server may
 * be any value.
 */
export const withObjectContent = (result: CallResult): CallResult => {
  if (result instanceof RawObject)
    return result.hasObject('structuredContent') === false
      ? result.wrap('structuredContent', '{"result":', '}')
      : result;
  const content = isJsonObject(result) ? result['structuredContent'] : undefined;
  return content === undefined || isJsonObject(content)
    ? result
    : { ...result, structuredContent: { result: content } };
};

/** Returns the members of a stamp that a result does not have. */
const stampTexts = (result: RawObject, stamp: ResultStamp): MemberTexts => {
  const added: Record<string, string> = {};
  if (result.member('resultType') === undefined) added['resultType'] = '"complete"';
  for (const [name, value] of Object.entries(stamp.members))
    if (result.member(name) === undefined) added[name] = JSON.stringify(value);
  const meta = result.member('_meta');
  const { metaKey, valueText } = stamp;
  if (meta === undefined) added['_meta'] = `{${JSON.stringify(metaKey)}:${valueText}}`;
  // A malformed `_meta` is the tool's own; it is passed on, not repaired.
  else if (meta.startsWith('{') && !Object.hasOwn(JSON.parse(meta) as object, metaKey))
    added['_meta'] = changeMembers(meta, { add: { [metaKey]: valueText } });
  return added;
};

/** Returns whether a result has no member of the stamp, so that both can be serialised one after the other. */
const hasNoneOf = ({ members }: ResultStamp, result: JsonObject): boolean => {
  if (keptText(result) === undefined && 'toJSON' in result) return false;
  for (const name of ['_meta', 'resultType']) if (Object.hasOwn(result, name)) return false;
  for (const name in members) if (Object.hasOwn(result, name)) return false;
  return true;
};

const stamped = (result: JsonObject, stamp: ResultStamp): JsonObject => ({
  resultType: 'complete',
  ...stamp.members,
  ...result,
  ...stampedMeta(result, stamp),
});

const stampedMeta = (result: JsonObject, { metaKey, metaValue }: ResultStamp): JsonObject => {
  const meta = Object.hasOwn(result, '_meta') ? result['_meta'] : {};
  return isJsonObject(meta) ? { _meta: { [metaKey]: metaValue, ...meta } } : {};
};

/** Creates a stamp; its texts are written once. */
export const createStamp = (
  metaKey: string,
  metaValue: unknown,
  members: JsonObject = {},
): ResultStamp => {
  const whole = { resultType: 'complete', ...members, _meta: { [metaKey]: metaValue } };
  return {
    metaKey,
    metaValue,
    members,
    valueText: JSON.stringify(metaValue),
    memberText: JSON.stringify(whole).slice(1, -1),
  };
};

/** Generation of the protocol that a request speaks: sessions and `initialize`, or one envelope per request. */
export type Era = 'legacy' | 'modern';

/** Revisions with one envelope per request, newest first. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28'];

/** Revisions that are agreed by `initialize`, newest first. */
export const LEGACY_REVISIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (revision) => !MODERN_REVISIONS.includes(revision),
);

/** Revision of a 2025-era request that names none. MCP 2025-06-18, Streamable HTTP, protocol version header */
export const ASSUMED_REVISION = '2025-03-26';

/** Revisions that know JSON-RPC batches. */
export const BATCH_REVISIONS: readonly string[] = ['2024-10-07', '2024-11-05', '2025-03-26'];

/** The capability that a method of the service belongs to. */
export const CAPABILITY_OF: Readonly<Record<ListMethod | CallMethod, keyof ServiceCapabilities>> = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'completion/complete': 'completions',
};

const instructionsOf = ({ instructions }: McpService): { readonly instructions?: string } =>
  instructions === undefined ? {} : { instructions };

/** The revision that `initialize` settles on: the one asked for, else the newest. */
export const agreedRevision = (requested: string): string =>
  LEGACY_REVISIONS.includes(requested) ? requested : (LEGACY_REVISIONS[0] ?? ASSUMED_REVISION);

/** Returns the result of `initialize` for an agreed revision: the server, its capabilities and its instructions. */
export const initializeResult = (service: McpService, revision: string): JsonObject => ({
  protocolVersion: revision,
  capabilities: service.capabilities,
  serverInfo: service.info,
  ...instructionsOf(service),
});

/** Returns the result of `server/discover` without the fields of every 2026-07-28 result. */
export const discoverResult = (service: McpService): JsonObject => ({
  supportedVersions: MODERN_REVISIONS,
  capabilities: service.capabilities,
  ...instructionsOf(service),
});

/** Returns the members that a service adds to every 2026-07-28 result. */
export const resultStamp = ({ info }: McpService): ResultStamp =>
  createStamp(SERVER_INFO_META_KEY, info);

/**
 * Returns the same for a result that states how long it may be cached. Results depend on the headers of the request, so only the
 * caller itself may cache them.
 */
export const cacheableResultStamp = ({ info }: McpService, ttlMs: number): ResultStamp =>
  createStamp(SERVER_INFO_META_KEY, info, { ttlMs, cacheScope: 'private' });
