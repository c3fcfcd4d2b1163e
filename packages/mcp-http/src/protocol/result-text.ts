import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import type { ServiceAnswer } from './mcp-service.ts';

/** The members that every 2026-07-28 result of a service carries. */
export interface ResultStamp {
  /** The key of `_meta` under which the server names itself, and its value. */
  readonly metaKey: string;
  readonly metaValue: unknown;
  /** Further members, for a result that has no members of these names. */
  readonly members?: JsonObject;
}

type Result = Extract<ServiceAnswer, { readonly ok: true }>;

/**
 * The JSON text of a result. Text that the service has is used as it is; only `_meta` and, with a stamp, `resultType` are
 * written in front of its members. A `resultType`, a member or a `_meta` key of the stamp that the result has already stays.
 * A `_meta` that is frozen, with all that it contains, is written once.
 *
 * @throws TypeError when the result is no object or cannot be written as JSON
 */
export const resultText = ({ result, json }: Result, stamp: ResultStamp | undefined): string => {
  if (!isJsonObject(result)) throw new TypeError('A result must be an object');
  if (stamp === undefined)
    return json === undefined ? JSON.stringify(result) : legacyText(result, json);
  if (json !== undefined) return withMembers(json, stampedMembers(result, stamp));
  if (!isPlain(result, stamp)) return JSON.stringify(stamped(result, stamp));
  return withMembers(JSON.stringify(result), memberText(stamp));
};

/** Returns whether the result has no member of the stamp, so that both can be serialised one after the other. */
const isPlain = (result: JsonObject, stamp: ResultStamp): boolean =>
  !Object.hasOwn(result, '_meta') && isOnlyMeta(result, stamp) && !('toJSON' in result);

/** Returns whether the result can have no member of the stamp except `_meta`. */
const isOnlyMeta = (result: JsonObject, { members }: ResultStamp): boolean => {
  if (Object.hasOwn(result, 'resultType')) return false;
  for (const key in members) if (Object.hasOwn(result, key)) return false;
  return true;
};

/** Keeps what is computed from an object that never changes, as long as the object exists. */
const keptFor = <Key extends object, Value>(
  compute: (key: Key) => Value,
): ((key: Key) => Value) => {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    values.set(key, value);
    return value;
  };
};

const keptMember = keptFor((meta: JsonObject) => `"_meta":${JSON.stringify(meta)}`);

const legacyText = (result: JsonObject, json: string): string => {
  const meta = Object.hasOwn(result, '_meta') ? result['_meta'] : undefined;
  // A result whose `_meta` is `undefined` has none: `undefined` has no JSON.
  if (meta === undefined) return json;
  const isKept = isJsonObject(meta) && Object.isFrozen(meta);
  return withMembers(json, isKept ? keptMember(meta) : `"_meta":${JSON.stringify(meta)}`);
};

const stamped = (result: JsonObject, stamp: ResultStamp): JsonObject => ({
  resultType: 'complete',
  ...stamp.members,
  ...result,
  ...stampedMeta(result, stamp),
});

const stampedMeta = (result: JsonObject, { metaKey, metaValue }: ResultStamp): JsonObject => {
  const meta = Object.hasOwn(result, '_meta') ? result['_meta'] : {};
  // A malformed `_meta` is the tool's own; it is passed on, not repaired.
  return isJsonObject(meta) ? { _meta: { [metaKey]: metaValue, ...meta } } : {};
};

/** The members of a stamp, for a result that has none of them. */
const memberText = keptFor((stamp: ResultStamp) => JSON.stringify(stamped({}, stamp)).slice(1, -1));

/** The members of a stamp that stand in front of `_meta`. */
const frontText = keptFor(({ members }: ResultStamp) => {
  const text = JSON.stringify({ resultType: 'complete', ...members });
  return `${text.slice(1, -1)},`;
});

const frontAndMeta = (stamp: ResultStamp, own: JsonObject): string => {
  const meta = { [stamp.metaKey]: stamp.metaValue, ...own };
  return `${frontText(stamp)}"_meta":${JSON.stringify(meta)}`;
};

const keptFrontAndMeta = keptFor((stamp: ResultStamp) =>
  keptFor((own: JsonObject) => frontAndMeta(stamp, own)),
);

/** The members of a stamp and `_meta`, as far as the text of the result does not have them. */
const stampedMembers = (result: JsonObject, stamp: ResultStamp): string => {
  if (isPlain(result, stamp)) return memberText(stamp);
  const { _meta: own } = result;
  if (isOnlyMeta(result, stamp) && isJsonObject(own))
    return Object.isFrozen(own) ? keptFrontAndMeta(stamp)(own) : frontAndMeta(stamp, own);
  const added: Record<string, unknown> = {
    resultType: 'complete',
    ...stamp.members,
    ...(own !== undefined && { _meta: own }),
    ...stampedMeta(result, stamp),
  };
  // The text holds all members of the result except `_meta`.
  const missing = Object.keys(added).filter(
    (key) => key === '_meta' || !Object.hasOwn(result, key),
  );
  return missing.map((key) => `${JSON.stringify(key)}:${JSON.stringify(added[key])}`).join(',');
};

/** Puts members in front of those of the text of an object. */
const withMembers = (json: string, members: string): string => {
  const open = json.indexOf('{') + 1;
  if (members === '') return json;
  let at = open;
  while (isSpace(json.charCodeAt(at))) at += 1;
  const separator = json.charCodeAt(at) === CLOSE_BRACE ? '' : ',';
  return `{${members}${separator}${json.slice(open)}`;
};

const CLOSE_BRACE = 0x7d;

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
