import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonSchema, listServerArguments } from '../../src/index.ts';
import { toDocument, stdio } from '../documents.ts';
import { arbitraryDocument } from '../workflow/arbitrary-document.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
const server = ajv.compile(createJsonSchema('MCPServer'));
const workflow = ajv.compile(createJsonSchema('Workflow'));

const complaintOf = (validate: ValidateFunction, document: unknown): readonly string[] =>
  validate(document)
    ? []
    : (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

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
    const inCluster =
      'creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation managedFields ownerReferences resourceVersion selfLink uid';
    expect([...new Set(bare)].sort()).toEqual(
      inCluster.split(' ').map((field) => `Metadata.${field}`),
    );
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

// The verdicts of single documents stand in the table of verdicts.
it('refuses another kind and a bad name, and counts characters', () => {
  expect(complaintOf(server, { ...(stdio() as object), kind: 'Workflow' })).toContain(
    '/kind const',
  );
  const named = toDocument({ type: 'stdio', command: 'a' }, { name: 'A' });
  expect(complaintOf(server, named)).toContain('/metadata/name pattern');
  expect(complaintOf(server, stdio({ description: '😀'.repeat(500) }))).toEqual([]);
  expect(complaintOf(server, stdio({ description: '😀'.repeat(501) }))).toEqual([
    '/spec/description maxLength',
  ]);
});

it('accepts every workflow that the parser accepts', () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      expect(complaintOf(workflow, document)).toEqual([]);
    }),
    { numRuns: 60 },
  );
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
