import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonSchema, listServerArguments } from '../../src/index.ts';
import { toDocument, refusalOf, remote, stdio } from '../documents.ts';
import { arbitraryDocument } from '../workflow/arbitrary-document.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
const server = ajv.compile(createJsonSchema('MCPServer'));
const workflow = ajv.compile(createJsonSchema('Workflow'));

const complaintOf = (validate: ValidateFunction, document: unknown): readonly string[] =>
  validate(document)
    ? []
    : (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

const workflowOf = (spec: unknown): unknown => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'Workflow',
  metadata: { name: 'w' },
  spec,
});
const calling = (step: object) => workflowOf({ steps: [{ id: 'a', tool: 't', ...step }] });

describe('the JSON Schema of a kind', () => {
  it('says for whom it is', () => {
    expect(createJsonSchema('MCPServer')).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://gateway.internal/v1alpha1/mcpserver.schema.json',
      title: 'MCPServer',
    });
  });

  it('takes another group', () => {
    expect(createJsonSchema('Workflow', { apiGroup: 'tools.example.com' })).toMatchObject({
      $id: 'https://tools.example.com/v1alpha1/workflow.schema.json',
      properties: { apiVersion: { const: 'tools.example.com/v1alpha1' } },
    });
  });

  it('describes every field that somebody writes', () => {
    const bare = ['MCPServer', 'Workflow'].flatMap((kind) => {
      const { $defs } = createJsonSchema(kind as 'Workflow') as Readonly<Record<string, object>>;
      return Object.entries($defs ?? {}).flatMap(([name, { properties }]) =>
        Object.entries(properties as Readonly<Record<string, object>>)
          .filter(([, property]) => !('description' in property))
          .map(([field]) => `${name}.${field}`),
      );
    });
    expect([...new Set(bare)].sort()).toEqual([
      'Metadata.creationTimestamp',
      'Metadata.deletionGracePeriodSeconds',
      'Metadata.deletionTimestamp',
      'Metadata.finalizers',
      'Metadata.generateName',
      'Metadata.generation',
      'Metadata.managedFields',
      'Metadata.ownerReferences',
      'Metadata.resourceVersion',
      'Metadata.selfLink',
      'Metadata.uid',
    ]);
  });

  it('has defaults', () => {
    expect(createJsonSchema('MCPServer')).toMatchObject({
      $defs: {
        MCPServerSpec: {
          properties: { timeout: { default: 30 }, autoStart: { default: false } },
        },
        Auth: { properties: { type: { default: 'none' } } },
      },
    });
  });
});

describe('servers', () => {
  it.each([
    ['a stdio server', stdio({ cwd: 'a', args: [''], env: { A: '' } })],
    ['a remote one', remote({ headers: { 'X-A': 'b' }, auth: { type: 'oauth' } })],
    ['a text of 500 astral characters', stdio({ description: '😀'.repeat(500) })],
  ])('accepts %s, as the parser does', (_title, document) => {
    expect(complaintOf(server, document)).toEqual([]);
    expect(refusalOf(document)).toEqual([]);
  });

  it.each([
    ['no type', toDocument({}), '/spec required'],
    ['an unknown field', stdio({ retry: 1 }), '/spec additionalProperties'],
    ['null', stdio({ cwd: null }), '/spec/cwd type'],
    ['a long text', stdio({ description: '😀'.repeat(501) }), '/spec/description maxLength'],
    ['a wrong key', stdio({ env: { 'A=B': '' } }), '/spec/env pattern'],
    ['an empty key', stdio({ env: { '': '' } }), '/spec/env minLength'],
    ['a fraction', stdio({ timeout: 1.5 }), '/spec/timeout type'],
    ['a large number', stdio({ timeout: 301 }), '/spec/timeout maximum'],
    ['another kind', { ...(stdio() as object), kind: 'Workflow' }, '/kind const'],
    [
      'a bad name',
      toDocument({ type: 'stdio', command: 'a' }, { name: 'A' }),
      '/metadata/name pattern',
    ],
    ['a URL of two characters', remote({ url: 'https://a' }), '/spec/url pattern'],
  ])('refuses %s, as the parser does', (_title, document, complaint) => {
    expect(complaintOf(server, document)).toContain(complaint);
    expect(refusalOf(document)).not.toEqual([]);
  });
});

describe('workflows', () => {
  it('accepts every workflow that the parser accepts', () => {
    fc.assert(
      fc.property(arbitraryDocument, (document) => {
        expect(complaintOf(workflow, document)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a default of another type than the argument’s, null too', () => {
    const withDefault = (type: string, value: unknown) =>
      workflowOf({ steps: [{ id: 'a', tool: 't' }], args: { n: { type, default: value } } });
    expect(complaintOf(workflow, withDefault('integer', 5))).toEqual([]);
    expect(complaintOf(workflow, withDefault('integer', 1.5))).toContain(
      '/spec/args/n/default type',
    );
    expect(complaintOf(workflow, withDefault('object', []))).toContain('/spec/args/n/default type');
    expect(complaintOf(workflow, withDefault('string', null))).toContain(
      '/spec/args/n/default type',
    );
  });

  it('refuses the argument that asks for details', () => {
    const named = (name: string) =>
      workflowOf({ steps: [{ id: 'a', tool: 't' }], args: { [name]: { type: 'string' } } });
    expect(complaintOf(workflow, named('debug'))).toEqual([]);
    expect(complaintOf(workflow, named('_debug'))).toContain('/spec/args not');
  });

  it('refuses loops in loops', () => {
    const parallel = (sub: object) =>
      workflowOf({ steps: [{ id: 'a', parallel: [{ id: 'b', tool: 't', ...sub }] }] });
    expect(complaintOf(workflow, parallel({}))).toEqual([]);
    expect(complaintOf(workflow, parallel({ forEach: { items: 'x', steps: [] } }))).toContain(
      '/spec/steps/0/parallel/0 additionalProperties',
    );
  });

  it('says nothing about the inside of arguments', () => {
    expect(complaintOf(workflow, calling({ args: { a: [null, { b: 1.5 }] } }))).toEqual([]);
    expect(complaintOf(workflow, calling({ args: [] }))).toContain('/spec/steps/0/args type');
  });
});

describe('the JSON Schema of auth', () => {
  const schema = listServerArguments().find(({ name }) => name === 'auth')?.schema ?? {};
  const auth = ajv.compile(schema);

  it('contains its parts and accepts what the parser accepts', () => {
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(
      complaintOf(auth, {
        type: 'oauth',
        tokenExchange: {
          enabled: true,
          dexTokenEndpoint: 'https://dex.example/token',
          connectorId: 'hub',
        },
      }),
    ).toEqual([]);
  });

  it('refuses other fields and types', () => {
    expect(complaintOf(auth, { kind: 'oauth' })).toEqual([' additionalProperties']);
    expect(complaintOf(auth, { type: 'basic' })).toEqual(['/type enum']);
  });
});
