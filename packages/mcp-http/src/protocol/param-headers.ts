import { isJsonObject, type JsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import type { McpService, RequestContext } from './mcp-service.ts';
import { decodedHeader } from './mirrored-text.ts';
import { quoted } from './refusal.ts';
import { singleHeader, type HeaderReader } from './request-headers.ts';

/** A parameter of a tool that its callers repeat in a header. */
interface MirroredParam {
  readonly path: readonly string[];
  /** Lower-case name of the header. */
  readonly header: string;
  readonly isNumber: boolean;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);
const MAX_DEPTH = 16;
const NONE: readonly MirroredParam[] = [];

/**
 * Validates headers that repeat arguments of a call against the body, as 2026-07-28 requires for tools whose input schema names
 * such headers (`x-mcp-header`). The names in a schema are read once per schema.
 */
export class ParamHeaders {
  readonly #service: McpService;
  readonly #known = new WeakMap<JsonObject, readonly MirroredParam[]>();

  constructor(service: McpService) {
    this.#service = service;
  }

  /** Returns the error of a call of a tool, for HTTP 400; `undefined` when its headers match. */
  refuse(params: JsonObject, context: RequestContext): RpcError | undefined {
    const name = params['name'];
    if (typeof name !== 'string') return undefined;
    const schema = this.#service.inputSchema?.(name, context);
    if (schema === undefined) return undefined;
    for (const param of this.#mirrored(schema)) {
      const error = refuseParam(param, params['arguments'], context.header);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #mirrored(schema: JsonObject): readonly MirroredParam[] {
    let params = this.#known.get(schema);
    if (params === undefined) {
      params = mirroredParams(schema, []);
      this.#known.set(schema, params);
    }
    return params;
  }
}

const mirroredParams = (schema: JsonObject, path: readonly string[]): readonly MirroredParam[] => {
  const properties = schema['properties'];
  if (!isJsonObject(properties) || path.length >= MAX_DEPTH) return NONE;
  return Object.entries(properties).flatMap(([name, child]) => {
    if (!isJsonObject(child)) return NONE;
    const at = [...path, name];
    return [...declared(child, at), ...mirroredParams(child, at)];
  });
};

const declared = (property: JsonObject, path: readonly string[]): readonly MirroredParam[] => {
  const { type, 'x-mcp-header': header } = property;
  if (typeof header !== 'string' || !TOKEN.test(header) || !MIRRORED_TYPES.has(type)) return NONE;
  const isNumber = type === 'integer' || type === 'number';
  return [{ path, header: `mcp-param-${header.toLowerCase()}`, isNumber }];
};

/** Returns whether a header repeats an argument that the body does not have. */
const refuseParam = (
  param: MirroredParam,
  args: unknown,
  header: HeaderReader,
): RpcError | undefined => {
  const value = argumentAt(args, param.path);
  if (value === undefined || value === null) return undefined;
  if (header(param.header) === undefined) {
    return mismatch('(missing)', `the ${param.header} header is absent`);
  }
  const line = singleHeader(header, param.header) ?? '';
  const told = decodedHeader(line);
  if (told === undefined) return mismatch(line, `the ${param.header} header is not valid Base64`);
  if (isSame(told, value, param.isNumber)) return undefined;
  const path = quoted(param.path.join('.'));
  return mismatch(line, `the ${param.header} header differs from the argument ${path}`);
};

const isSame = (told: string, value: unknown, isNumber: boolean): boolean => {
  if (isNumber && typeof value === 'number') return told.trim() !== '' && Number(told) === value;
  return (typeof value === 'string' || typeof value === 'boolean') && told === String(value);
};

const argumentAt = (args: unknown, path: readonly string[]): unknown => {
  let node = args;
  for (const key of path) {
    if (!isJsonObject(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
};

const mismatch = (header: string, body: string): RpcError => ({
  code: RPC_CODE.headerMismatch,
  message: `Bad Request: the request headers and body disagree: ${body}`,
  data: { mismatch: { header, body } },
});
