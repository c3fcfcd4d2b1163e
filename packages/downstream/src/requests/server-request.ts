import { isJsonObject, type Caller, type JsonObject } from '@gateway/call-contract';

export interface ServerMessage {
  readonly method: string;
  readonly params: JsonObject;
}

const own = (record: JsonObject, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** Returns the required sub-capability that is not declared, by the parameters of the request. */
const elicitationNeeds = (declared: JsonObject, params: JsonObject): string | undefined => {
  // A client without declared modes supports forms, as in the revisions before modes.
  const forms = isJsonObject(own(declared, 'form')) || !isJsonObject(own(declared, 'url'));
  const mode = own(params, 'mode') ?? 'form';
  if (mode === 'form') return forms ? undefined : 'elicitation.form';
  if (mode === 'url' && isJsonObject(own(declared, 'url'))) return undefined;
  return mode === 'url' ? 'elicitation.url' : 'elicitation.(unknown mode)';
};

const samplingNeeds = (declared: JsonObject, params: JsonObject): string | undefined => {
  const usesTools = own(params, 'tools') !== undefined || own(params, 'toolChoice') !== undefined;
  return usesTools && !isJsonObject(own(declared, 'tools')) ? 'sampling.tools' : undefined;
};

interface Kind {
  readonly capability: string;
  readonly needs: (declared: JsonObject, params: JsonObject) => string | undefined;
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['sampling/createMessage', { capability: 'sampling', needs: samplingNeeds }],
  ['elicitation/create', { capability: 'elicitation', needs: elicitationNeeds }],
  ['roots/list', { capability: 'roots', needs: () => undefined }],
]);

export const isServerRequest = (method: string): boolean => KINDS.has(method);

/** Returns the capability that a caller lacks for a request, as a path (`sampling.tools`); `undefined` when it lacks none. */
export const findMissingCapability = (
  capabilities: Caller['capabilities'],
  { method, params }: ServerMessage,
): string | undefined => {
  const kind = KINDS.get(method);
  if (kind === undefined) return method;
  const declared = own(capabilities, kind.capability);
  return isJsonObject(declared) ? kind.needs(declared, params) : kind.capability;
};

/** Returns the request without the server's progress token, and without an `includeContext` that the caller does not support, which a client may ignore. */
export const toCallerRequest = (
  capabilities: Caller['capabilities'],
  { method, params }: ServerMessage,
): ServerMessage => {
  const { _meta: meta, includeContext, ...rest } = params;
  const sampling = own(capabilities, 'sampling');
  const keepsContext =
    method !== 'sampling/createMessage' ||
    includeContext === 'none' ||
    (isJsonObject(sampling) && isJsonObject(own(sampling, 'context')));
  const { progressToken: _token, ...keptMeta } = isJsonObject(meta) ? meta : {};
  return {
    method,
    params: {
      ...rest,
      ...(includeContext !== undefined && keepsContext ? { includeContext } : {}),
      ...(Object.keys(keptMeta).length > 0 ? { _meta: keptMeta } : {}),
    },
  };
};
