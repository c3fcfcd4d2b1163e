import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MCP_SERVER_KIND,
  WORKFLOW_KIND,
  formatApiVersion,
  parseMcpServer,
  parseWorkflow,
} from '@gateway/crd-schemas';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { ManifestObject } from '../../src/render.ts';
import type { Problem } from './shape-problems.ts';

const SCHEMAS = join(import.meta.dirname, '../schemas');

interface ObjectSchema {
  readonly properties: {
    readonly apiVersion: { readonly const: string };
    readonly kind: { readonly const: string };
  };
}

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });

let schemas: ReadonlyMap<string, ObjectSchema> | undefined;

/** Every `*.schema.json` of the folder, by the `apiVersion` and `kind` that it names as constants. */
const readSchemas = (): ReadonlyMap<string, ObjectSchema> =>
  new Map(
    readdirSync(SCHEMAS)
      .filter((file) => file.endsWith('.schema.json'))
      .map((file) => {
        const schema = JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as ObjectSchema;
        const { apiVersion, kind } = schema.properties;
        return [`${apiVersion.const} ${kind.const}`, schema] as const;
      }),
  );

/** Returns the validator of a kind, compiled on first use. */
const validatorOf = ({ apiVersion, kind }: ManifestObject): ValidateFunction | undefined => {
  schemas ??= readSchemas();
  const schema = schemas.get(`${apiVersion} ${kind}`);
  return schema === undefined ? undefined : ajv.compile(schema);
};

const problemOfAjv = ({ instancePath, keyword, params, message }: ErrorObject): Problem => {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
  if (keyword === 'additionalProperties')
    return { path: [...path, String(params['additionalProperty'])], message: 'is no field' };
  if (keyword === 'required')
    return { path: [...path, String(params['missingProperty'])], message: 'is required' };
  return { path, message: message ?? keyword };
};

const gatewayProblems = (
  object: ManifestObject,
  apiGroup: string | undefined,
): readonly Problem[] | undefined => {
  if (object.apiVersion !== formatApiVersion(apiGroup)) return undefined;
  const options = apiGroup === undefined ? {} : { apiGroup };
  if (object.kind !== MCP_SERVER_KIND && object.kind !== WORKFLOW_KIND) return undefined;
  const parse = object.kind === MCP_SERVER_KIND ? parseMcpServer : parseWorkflow;
  const parsed = parse(object, options);
  return parsed.ok ? [] : parsed.error;
};

/**
 * Returns the problems of a custom resource. Gateway kinds are parsed as the gateway does, others with a schema in `test/schemas`. Undefined for an unknown kind.
 */
export function customObjectProblems(
  object: ManifestObject,
  apiGroup?: string,
): readonly Problem[] | undefined {
  const own = gatewayProblems(object, apiGroup);
  if (own !== undefined) return own;
  const validate = validatorOf(object);
  if (validate === undefined) return undefined;
  return validate(object) ? [] : (validate.errors ?? []).map(problemOfAjv);
}
