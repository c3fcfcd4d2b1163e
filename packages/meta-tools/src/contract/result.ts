import {
  type CallResult,
  type JsonObject,
  RPC_CODE,
  type RpcError,
  isJsonObject,
} from '@gateway/call-contract';
import {
  RawObject,
  changeMembers,
  jsonText,
  keepText,
  keptText,
  memberOf,
} from '@gateway/mcp-wire';
import type { MetaToolAnswer } from './meta-tool.ts';
import type { MetaToolPorts } from './ports.ts';
import { type Refusal, refusalText } from './refusal.ts';

/** A result of one text item that holds compact JSON. The value is written here, once, and so is the result. */
export const jsonResult = (value: unknown): MetaToolAnswer => textResult(JSON.stringify(value));

/** A result of one text item that holds a member of a server's result as it came; `[]` when there is none. */
export const memberResult = (result: CallResult, name: string): MetaToolAnswer => {
  if (result instanceof RawObject) return textResult(result.member(name) ?? '[]');
  return jsonResult(memberOf(result, name) ?? []);
};

const textResult = (text: string): MetaToolAnswer => {
  const result = { content: [{ type: 'text', text }] };
  const json = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
  return { result: keepText(result, json) };
};

/** Adds members to the `_meta` of a result; nothing else of it is touched. They win over those of the same names. */
export const withMeta = (result: CallResult, own: JsonObject): CallResult => {
  if (result instanceof RawObject) return result.with({ _meta: metaText(result, own) });
  const meta = result['_meta'];
  const _meta = isJsonObject(meta) ? { ...meta, ...own } : own;
  // A spread with a key behind it takes ten times as long; `Object.assign` cannot carry `__proto__`.
  const copy = Object.hasOwn(result, '__proto__')
    ? { ...result, _meta }
    : Object.assign({}, result, { _meta });
  const text = keptText(result);
  if (text === undefined || text === '{}' || Object.hasOwn(result, '_meta')) return copy;
  return keepText(copy, `{"_meta":${jsonText(own)},${text.slice(1)}`);
};

const metaText = (result: RawObject, own: JsonObject): string => {
  const text = result.member('_meta');
  // A malformed `_meta` cannot be added to.
  if (text?.startsWith('{') !== true) return jsonText(own);
  const add = Object.entries(own).map(([name, value]) => [name, JSON.stringify(value)]);
  return changeMembers(text, { add: Object.fromEntries(add) as Record<string, string> });
};

type RefusalListener = Pick<MetaToolPorts, 'onToolsetRefusal'>;

/** Reports a refusal because of the toolset; does nothing for any other refusal. */
const reportToolsetRefusal = (refusal: Refusal, ports: RefusalListener): void => {
  if (refusal.code === 'toolset.outside') ports.onToolsetRefusal('outside');
  else if (refusal.code === 'toolset.refused') ports.onToolsetRefusal(refusal.reason);
};

/**
 * Returns a failed result: one text item with one sentence. A refusal because of the toolset is reported through the ports,
 * once.
 */
export const refusalResult = (refusal: Refusal, ports: RefusalListener): MetaToolAnswer => {
  reportToolsetRefusal(refusal, ports);
  return { result: { content: [{ type: 'text', text: refusalText(refusal) }], isError: true } };
};

/**
 * Returns the error of a refusal because of the toolset, for a request whose result cannot carry it. The refusal is reported
 * through the ports, once.
 *
 * @spec §7.1, §7.2
 */
export const toolsetRefusalError = (refusal: Refusal, ports: RefusalListener): RpcError => {
  reportToolsetRefusal(refusal, ports);
  return { code: RPC_CODE.invalidParams, message: refusalText(refusal) };
};

/**
 * Returns whether a result requests input from the caller (2026-07-28). The caller answers by the same call again, so it is
 * passed on unchanged.
 */
export const asksForInput = (result: CallResult): boolean =>
  memberOf(result, 'resultType') === 'input_required';
