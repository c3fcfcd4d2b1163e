import { isJsonObject } from './json-rpc.ts';
import type { JsonObject, ServiceAnswer } from './mcp-service.ts';

/** What a 2026-07-28 result carries beside its own members. */
export interface ResultStamp {
  readonly metaKey: string;
  readonly metaValue: unknown;
}

type Result = Extract<ServiceAnswer, { readonly ok: true }>;

const QUOTED_META = '"_meta":';

/**
 * The JSON text of a result. Text that the service has is used as it is; only `_meta` and, with a stamp, `resultType` are
 * written in front of its members. A `resultType` or a stamped `_meta` key that the result has already stays.
 *
 * @throws TypeError when the result is no object or cannot be written as JSON
 */
export const resultText = ({ result, json }: Result, stamp: ResultStamp | undefined): string => {
  if (!isJsonObject(result)) throw new TypeError('A result must be an object');
  if (json === undefined)
    return JSON.stringify(stamp === undefined ? result : stamped(result, stamp));
  const added = addedMembers(result, stamp);
  return added === '' ? json : withMembers(json, added);
};

const stamped = (result: JsonObject, stamp: ResultStamp): JsonObject => ({
  resultType: 'complete',
  ...result,
  ...stampedMeta(result, stamp),
});

const stampedMeta = (result: JsonObject, { metaKey, metaValue }: ResultStamp): JsonObject => {
  const meta = Object.hasOwn(result, '_meta') ? result['_meta'] : {};
  // A malformed `_meta` is the tool's own; it is passed on, not repaired.
  return isJsonObject(meta) ? { _meta: { [metaKey]: metaValue, ...meta } } : {};
};

/** The members that stand before those of the text, as JSON. */
const addedMembers = (result: JsonObject, stamp: ResultStamp | undefined): string => {
  const own = Object.hasOwn(result, '_meta') ? result['_meta'] : undefined;
  const meta = stamp === undefined ? own : (stampedMeta(result, stamp)['_meta'] ?? own);
  const type =
    stamp === undefined || Object.hasOwn(result, 'resultType') ? '' : '"resultType":"complete"';
  // `undefined` has no JSON: a result whose `_meta` is that has none.
  const metaText = meta === undefined ? '' : QUOTED_META + JSON.stringify(meta);
  return type !== '' && metaText !== '' ? `${type},${metaText}` : type + metaText;
};

const withMembers = (json: string, added: string): string => {
  const open = json.indexOf('{') + 1;
  let at = open;
  while (isSpace(json.charCodeAt(at))) at += 1;
  const isEmpty = json.charCodeAt(at) === CLOSE_BRACE;
  return `{${added}${isEmpty ? '' : ','}${json.slice(open)}`;
};

const CLOSE_BRACE = 0x7d;

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
