import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createOpenApiDocument } from '../../src/openapi/open-api-document.ts';
import { formatOpenApiYaml } from '../../src/openapi/open-api-yaml.ts';
import { OPERATION_EXAMPLES } from '../../src/openapi/operation-examples.ts';
import { type OperationName, OPERATIONS } from '../../src/operations/operations.ts';

const document = createOpenApiDocument({ version: '0.4.0', serverUrl: 'http://127.0.0.1:8080' });
const names = Object.keys(OPERATIONS) as OperationName[];

/** Any part of the document. */
interface Part {
  readonly [key: string]: Part;
}

const parts = JSON.parse(JSON.stringify(document)) as Part;

const at = (...keys: readonly string[]): Part | undefined =>
  keys.reduce<Part | undefined>((part, key) => part?.[key], parts);

const operationOf = (name: OperationName): Part | undefined =>
  at('paths', OPERATIONS[name].route, OPERATIONS[name].method.toLowerCase());

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ ...document, $id: 'document' });

/** What a schema of the document says against a value. */
const problems = (schema: unknown, value: unknown): string => {
  const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
  ajv.validate(inDocument, value);
  return ajv.errorsText();
};

/** Every `{schema, example}` of the document. */
const withExample = function* (part: unknown): Generator<{ schema: unknown; example: unknown }> {
  if (typeof part !== 'object' || part === null) return;
  if ('schema' in part && 'example' in part) yield part;
  for (const [key, inner] of Object.entries(part)) if (key !== 'example') yield* withExample(inner);
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, and the validator refuses an invalid document', async () => {
    const validator = new Validator();
    const judged = (given: object) => validator.validate(JSON.parse(JSON.stringify(given)));
    expect(await judged(document)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const broken = { ...document, paths: { '/a': { get: { responses: { 200: {} } } } } };
    expect(await judged(broken)).toMatchObject({ valid: false });
  });

  it('is the same as YAML of both versions', () => {
    const text = formatOpenApiYaml({ version: '0.4.0', serverUrl: 'http://127.0.0.1:8080' });
    expect(parse(text, { maxAliasCount: 0 })).toEqual(document);
    expect(parse(text, { maxAliasCount: 0, version: '1.1' })).toEqual(document);
  });

  it('names its operation and its route', () => {
    expect(document.info).toMatchObject({ title: 'agent-manager', version: '0.4.0' });
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1:8080' }]);
    expect(createOpenApiDocument({ version: '1' }).servers).toEqual([{ url: '/' }]);
  });

  it('has every operation of the table at its route', () =>
    expect(
      Object.entries(at('paths') ?? {}).flatMap(([route, item]) =>
        Object.entries(item).map(([method, operation]) => [
          `${method.toUpperCase()} ${route.replace('/api/v1/', '')}`,
          ...[operation['x-mcp-tool'], operation['operationId']],
          Object.keys(operation['responses'] ?? {}).join(' '),
        ]),
      ),
    ).toEqual([
      ['GET agents', 'list_agents', 'listAgents', '200 400 401 403 502'],
      ['POST agents', 'create_agent', 'createAgent', '201 400 401 403 409 413 415 502'],
      ['POST agents/validate', 'validate_agent', 'validateAgent', '200 400 401 403 413 415 502'],
      ['GET agents/{namespace}/{name}', 'get_agent', 'getAgent', '200 400 401 403 404 502'],
      [
        ...['PATCH agents/{namespace}/{name}', 'update_agent', 'updateAgent'],
        '200 400 401 403 404 409 413 415 502',
      ],
      [
        ...['DELETE agents/{namespace}/{name}', 'delete_agent', 'deleteAgent'],
        '200 400 401 403 404 409 502',
      ],
      [
        ...['GET agents/{namespace}/{name}/status', 'get_agent_status', 'getAgentStatus'],
        '200 400 401 403 404 502',
      ],
      ['GET info', 'get_info', 'getInfo', '200 400 401 403'],
      ['GET modelconfigs', 'list_model_configs', 'listModelConfigs', '200 400 401 403 502'],
      ['GET skills', 'list_skills', 'listSkills', '200 400 401 403 404 501 502'],
    ]));

  it('puts each argument in one place, and `force` of a change in both', () => {
    const operation = operationOf('update_agent');
    expect(operation?.['parameters']).toMatchObject([
      { in: 'path', name: 'namespace', required: true, description: 'Namespace of the agent.' },
      { in: 'path', name: 'name', required: true },
      { in: 'query', name: 'force', schema: { type: 'boolean' } },
    ]);
    expect(operation?.['requestBody']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/UpdateAgentBody' } } },
    });
    const body = at('components', 'schemas', 'UpdateAgentBody');
    expect(body?.['additionalProperties']).toBe(false);
    const fields = Object.keys(body?.['properties'] ?? {});
    expect(fields).toEqual(expect.arrayContaining(['toolset', 'description', 'force']));
    expect(fields).not.toContain('name');
    expect(operationOf('get_agent')).not.toHaveProperty('requestBody');
  });

  it('requires the toolset where the table does, and leaves answers open', () => {
    const required = ['name', 'modelConfig', 'toolset'];
    expect(at('components', 'schemas', 'CreateAgentBody', 'required')).toEqual(required);
    expect(at('components', 'schemas', 'UpdateAgentBody')).not.toHaveProperty('required');
    expect(at('components', 'schemas', 'Agent')).not.toHaveProperty('additionalProperties');
    expect(at('components', 'schemas', 'AgentList', 'properties', 'agents', 'items')).toEqual({
      $ref: '#/components/schemas/Agent',
    });
  });

  it('lists the hints of the tools', () =>
    expect(operationOf('delete_agent')?.['x-mcp-hints']).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    }));

  it('describes refusals, each with an example', () => {
    expect(
      at('components', 'responses', 'Conflict', 'content', 'application/json', 'example'),
    ).toEqual({
      error: {
        code: 'conflict',
        message: 'conflict: HelmRelease default/sre already exists; use update_agent to change it',
      },
    });
    expect(Object.keys(at('components', 'responses') ?? {})).toEqual([
      ...['InvalidRequest', 'Unauthenticated', 'Forbidden', 'NotFound', 'Conflict'],
      ...['BodyTooLarge', 'NotJson', 'Unsupported', 'BackendError'],
    ]);
  });

  it('has examples that match their schemas, and the check fails for others', () => {
    const examples = [...withExample(document)];
    expect(examples.length).toBeGreaterThan(25);
    expect(examples.map(({ schema, example }) => problems(schema, example))).toEqual(
      examples.map(() => 'No errors'),
    );
    expect(problems({ $ref: '#/components/schemas/Agent' }, { name: 1 })).toContain('data/name');
  });

  it.each(names)('has a valid example of %s', (name) => {
    const { input, output } = OPERATION_EXAMPLES[name];
    expect(OPERATIONS[name].input.parse(input)).toEqual(input);
    expect(OPERATIONS[name].output.parse(output)).toEqual(output);
  });
});
