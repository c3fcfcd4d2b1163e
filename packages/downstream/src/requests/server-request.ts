import type { Caller } from '@gateway/call-contract';

type OpenRecord = Readonly<Record<string, unknown>>;

/** What a server wants of a client. */
export interface ServerRequest {
  readonly method: string;
  readonly params: OpenRecord;
}

const isRecord = (value: unknown): value is OpenRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (record: OpenRecord, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** What must be declared besides the capability itself, by the question's parameters. */
const elicitationNeeds = (declared: OpenRecord, params: OpenRecord): string | undefined => {
  // A client of the revisions before modes declares none and means forms.
  const forms = isRecord(own(declared, 'form')) || !isRecord(own(declared, 'url'));
  const mode = own(params, 'mode') ?? 'form';
  if (mode === 'form') return forms ? undefined : 'elicitation.form';
  if (mode === 'url' && isRecord(own(declared, 'url'))) return undefined;
  return mode === 'url' ? 'elicitation.url' : 'elicitation.(unknown mode)';
};

const samplingNeeds = (declared: OpenRecord, params: OpenRecord): string | undefined => {
  const usesTools = own(params, 'tools') !== undefined || own(params, 'toolChoice') !== undefined;
  return usesTools && !isRecord(own(declared, 'tools')) ? 'sampling.tools' : undefined;
};

interface Kind {
  readonly capability: string;
  readonly needs: (declared: OpenRecord, params: OpenRecord) => string | undefined;
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['sampling/createMessage', { capability: 'sampling', needs: samplingNeeds }],
  ['elicitation/create', { capability: 'elicitation', needs: elicitationNeeds }],
  ['roots/list', { capability: 'roots', needs: () => undefined }],
]);

/** Whether a server may ask a client so at all. */
export const isServerRequest = (method: string): boolean => KINDS.has(method);

/** The capability that a caller lacks for a question, as a path (`sampling.tools`); `undefined` when it may be asked. */
export const missingCapability = (
  capabilities: Caller['capabilities'],
  { method, params }: ServerRequest,
): string | undefined => {
  const kind = KINDS.get(method);
  if (kind === undefined) return method;
  const declared = own(capabilities, kind.capability);
  return isRecord(declared) ? kind.needs(declared, params) : kind.capability;
};

/**
 * The question as it is put to a caller: unchanged, but for the progress token, which belongs to the server's connection, and for an
 * `includeContext` that the caller does not declare. The protocol lets a client leave the context out, so that is no reason to refuse.
 */
export const serverRequestForCaller = (
  capabilities: Caller['capabilities'],
  { method, params }: ServerRequest,
): ServerRequest => {
  const { _meta: meta, includeContext, ...rest } = params;
  const sampling = own(capabilities, 'sampling');
  const keepsContext =
    method !== 'sampling/createMessage' ||
    includeContext === 'none' ||
    (isRecord(sampling) && isRecord(own(sampling, 'context')));
  const { progressToken: _token, ...keptMeta } = isRecord(meta) ? meta : {};
  return {
    method,
    params: {
      ...rest,
      ...(includeContext !== undefined && keepsContext ? { includeContext } : {}),
      ...(Object.keys(keptMeta).length > 0 ? { _meta: keptMeta } : {}),
    },
  };
};
