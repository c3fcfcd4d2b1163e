import { isJsonObject, type CallResult, type JsonObject } from '@gateway/call-contract';
import { changeMembers, jsonText, keptText, RawObject, type MemberTexts } from '@gateway/mcp-wire';

/** The members that every 2026-07-28 result of a service carries. */
export interface ResultStamp {
  /** The key of `_meta` under which the server names itself, and its value. */
  readonly metaKey: string;
  readonly metaValue: unknown;
  /** Further members, for a result that has no members of these names. */
  readonly members?: JsonObject;
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
  return `{${memberText(stamp)}${text === '{}' ? '' : ','}${text.slice(1)}`;
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
  for (const [name, value] of Object.entries(stamp.members ?? {}))
    if (result.member(name) === undefined) added[name] = JSON.stringify(value);
  const meta = result.member('_meta');
  const stampMeta = metaText(stamp);
  if (meta === undefined) added['_meta'] = stampMeta;
  // A malformed `_meta` is the tool's own; it is passed on, not repaired.
  else if (meta.startsWith('{') && !Object.hasOwn(JSON.parse(meta) as object, stamp.metaKey))
    added['_meta'] = changeMembers(meta, { add: { [stamp.metaKey]: valueText(stamp) } });
  return added;
};

/** Returns whether a result has no member of the stamp, so that both can be serialised one after the other. */
const hasNoneOf = ({ members = {} }: ResultStamp, result: JsonObject): boolean => {
  if (keptText(result) === undefined && 'toJSON' in result) return false;
  for (const name of ['_meta', 'resultType']) if (Object.hasOwn(result, name)) return false;
  for (const name in members) if (Object.hasOwn(result, name)) return false;
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

const valueText = keptFor(({ metaValue }: ResultStamp) => JSON.stringify(metaValue));

const metaText = keptFor(({ metaKey, metaValue }: ResultStamp) =>
  JSON.stringify({ [metaKey]: metaValue }),
);

/** The members of a stamp, for a result that has none of them. */
const memberText = keptFor((stamp: ResultStamp) => JSON.stringify(stamped({}, stamp)).slice(1, -1));
