import {
  MCP_SERVER_KIND,
  WORKFLOW_KIND,
  formatApiVersion,
  parseMcpServer,
  parseWorkflow,
} from '@gateway/crd-schemas';
import { Ajv, type ErrorObject } from 'ajv';
import type { ManifestObject } from '../../src/render.ts';
import { AGENT_SCHEMA, REMOTE_MCP_SERVER_SCHEMA } from './agent-runtime.ts';

/** One problem of an object: the path to the value, and what is wrong with it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });

/** The kinds of the agent runtime. */
const VALIDATORS: Readonly<Record<string, ReturnType<typeof ajv.compile>>> = {
  Agent: ajv.compile(AGENT_SCHEMA),
  RemoteMCPServer: ajv.compile(REMOTE_MCP_SERVER_SCHEMA),
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

/** Returns the problems of the fields of an object: gateway kinds are parsed as the gateway does, those of the agent runtime with their schemas. */
export function customObjectProblems(
  object: ManifestObject,
  apiGroup?: string,
): readonly Problem[] {
  const options = apiGroup === undefined ? {} : { apiGroup };
  if (object.kind === MCP_SERVER_KIND || object.kind === WORKFLOW_KIND) {
    if (object.apiVersion !== formatApiVersion(apiGroup))
      return [{ path: ['apiVersion'], message: `is not ${formatApiVersion(apiGroup)}` }];
    const parsed = (object.kind === MCP_SERVER_KIND ? parseMcpServer : parseWorkflow)(
      object,
      options,
    );
    return parsed.ok ? [] : parsed.error;
  }
  const validate = object.apiVersion.startsWith('kagent.dev/')
    ? VALIDATORS[object.kind]
    : undefined;
  if (validate === undefined || validate(object)) return [];
  return (validate.errors ?? []).map(problemOfAjv);
}
