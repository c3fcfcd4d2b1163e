import { isJsonObject, type JsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import { changeMembers, keepText, keptText } from '@gateway/mcp-wire';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { CallMethod } from './mcp-service.ts';

/** The parameters of a call, checked and taken apart. */
export interface CallParams {
  /** The parameters that the service receives. */
  readonly params: JsonObject;
  /** Token of the progress reports that the caller requests. */
  readonly progressToken: string | number | undefined;
  /** `_meta` without the keys of the transport. */
  readonly meta: JsonObject | undefined;
  /** The caller's answers to an `input_required` result, and its state (2026-07-28). */
  readonly inputResponses: JsonObject | undefined;
  readonly requestState: string | undefined;
}

const TRANSPORT_META_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients still send it
  LOG_LEVEL_META_KEY,
]);

const invalid = (
  message: string,
): { readonly ok: false; readonly error: { code: number; message: string } } => ({
  ok: false,
  error: { code: RPC_CODE.invalidParams, message },
});

const isOptionalObject = (value: unknown): value is JsonObject | undefined =>
  value === undefined || isJsonObject(value);

const refuseNamed = ({ name, arguments: args }: JsonObject): string | undefined => {
  if (typeof name !== 'string') return 'params.name must be a string';
  return isOptionalObject(args) ? undefined : 'params.arguments must be an object';
};

const refuseCompletion = ({ ref, argument, context }: JsonObject): string | undefined => {
  if (!isJsonObject(ref)) return 'params.ref must be an object';
  if (!isJsonObject(argument)) return 'params.argument must be an object';
  if (typeof argument['name'] !== 'string') return 'params.argument.name must be a string';
  if (typeof argument['value'] !== 'string') return 'params.argument.value must be a string';
  return isOptionalObject(context) ? undefined : 'params.context must be an object';
};

/** Returns why the parameters of a method are invalid; `undefined` for valid ones. */
const REFUSE: Readonly<Record<CallMethod, (params: JsonObject) => string | undefined>> = {
  'tools/call': refuseNamed,
  'prompts/get': refuseNamed,
  'resources/read': ({ uri }) =>
    typeof uri === 'string' ? undefined : 'params.uri must be a string',
  'completion/complete': refuseCompletion,
};

/** Parses the parameters of a call, as far as the protocol defines them. */
export const parseCallParams = (
  method: CallMethod,
  params: unknown,
):
  | { readonly ok: true; readonly call: CallParams }
  | { readonly ok: false; readonly error: RpcError } => {
  if (!isJsonObject(params)) return invalid('params must be an object');
  const refused = REFUSE[method](params);
  if (refused !== undefined) return invalid(refused);
  const { _meta: meta, inputResponses, requestState } = params;
  if (!isOptionalObject(meta)) return invalid('params._meta must be an object');
  if (!isOptionalObject(inputResponses)) return invalid('params.inputResponses must be an object');
  if (requestState !== undefined && typeof requestState !== 'string') {
    return invalid('params.requestState must be a string');
  }
  return {
    ok: true,
    call: {
      params: withoutEnvelope(params),
      inputResponses,
      requestState,
      progressToken: meta === undefined ? undefined : progressTokenOf(meta),
      meta: meta === undefined ? undefined : ownMeta(meta),
    },
  };
};

/** Returns the parameters without the members that the context carries; the same object when there are none. */
const withoutEnvelope = (params: JsonObject): JsonObject => {
  let isWhole = true;
  let isUsual = true;
  for (const key of Object.keys(params)) {
    if (ENVELOPE_KEYS.has(key)) isWhole = false;
    else if (key !== 'name' && key !== 'arguments') isUsual = false;
  }
  if (isWhole) return params;
  // Taking a part out of an object of any shape costs several times as much as this one shape.
  if (isUsual && params['arguments'] !== undefined) {
    return { name: params['name'], arguments: params['arguments'] };
  }
  const { _meta, inputResponses: _responses, requestState: _state, ...rest } = params;
  return rest;
};

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** Returns `_meta` without the keys of the transport; `undefined` when nothing is left. */
const ownMeta = (meta: JsonObject): JsonObject | undefined => {
  const own = Object.entries(meta).filter(([key]) => !TRANSPORT_META_KEYS.has(key));
  if (own.length === 0) return undefined;
  const kept = Object.fromEntries(own);
  const text = keptText(meta);
  if (text === undefined) return kept;
  return keepText(kept, changeMembers(text, { remove: (key) => TRANSPORT_META_KEYS.has(key) }));
};

const progressTokenOf = (meta: JsonObject): string | number | undefined => {
  const token = Object.hasOwn(meta, 'progressToken') ? meta['progressToken'] : undefined;
  return typeof token === 'string' || Number.isSafeInteger(token)
    ? (token as string | number)
    : undefined;
};
