import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow, parseWorkflowDefinition, toWorkflowDocument } from '../../src/index.ts';
import { arbitraryDocument } from './arbitrary-document.ts';
import { call, withSpec, withSteps, workflowOf } from './workflows.ts';

describe('the canonical document', () => {
  it('is in camel case, in one order, and without what is a default', () => {
    const workflow = workflowOf({
      spec: {
        output: { a: 1 },
        onFailure: [],
        steps: [
          {
            allowFailure: false,
            store: false,
            args: {},
            tool: 't',
            condition: { expect: { success: true }, args: {}, tool: 'c' },
            id: 'a',
            description: 'd',
          },
          {
            forEach: { steps: [{ tool: 't', id: 'c' }], as: 'item', items: '{{ .input.x }}' },
            allowFailure: true,
            id: 'b',
          },
        ],
        args: { x: { default: [], required: false, type: 'array' } },
        description: '',
      },
      metadata: { namespace: 'default', name: 'sync', labels: {} },
      kind: 'Workflow',
      apiVersion: 'gateway.internal/v1alpha1',
      status: {},
    });
    // As text, because the order of the keys counts.
    expect(JSON.stringify(toWorkflowDocument(workflow))).toBe(
      '{"apiVersion":"gateway.internal/v1alpha1","kind":"Workflow","metadata":{"name":"sync"},"spec":{' +
        '"args":{"x":{"type":"array","default":[]}},"steps":[' +
        '{"id":"a","description":"d","condition":{"tool":"c","expect":{"success":true}},"tool":"t","store":false},' +
        '{"id":"b","forEach":{"items":"{{ .input.x }}","steps":[{"id":"c","tool":"t"}]},"allowFailure":true}],' +
        '"output":{"a":1}}}',
    );
  });
  it('keeps what is no default', () => {
    const document = withSpec({
      steps: [call({ output: false, args: { a: null } })],
      output: {},
      args: { a: { type: 'boolean', default: false } },
    });
    expect(toWorkflowDocument(workflowOf(document))).toEqual(document);
  });
  it('drops what nothing reads', () => {
    const document = withSteps({ id: 'a', args: { x: 1 }, parallel: [call({ id: 'b' })] });
    expect(toWorkflowDocument(workflowOf(document)).spec).toEqual({
      steps: [{ id: 'a', parallel: [{ id: 'b', tool: 'x_k8s_list' }] }],
    });
  });
});

const again = (document: unknown): unknown => {
  const parsed = parseWorkflow(document);
  return parsed.ok ? parsed.value.workflow : parsed.error;
};

describe('any workflow', () => {
  it('comes back equal from its one document, from the document as JSON and from its definition', () => {
    fc.assert(
      fc.property(arbitraryDocument, (document) => {
        const workflow = workflowOf(document);
        const canonical = toWorkflowDocument(workflow);
        expect(isDeepStrictEqual(again(canonical), workflow)).toBe(true);
        expect(isDeepStrictEqual(toWorkflowDocument(workflowOf(canonical)), canonical)).toBe(true);
        // JSON has no negative zero.
        const text = JSON.stringify(canonical);
        expect(JSON.stringify(again(JSON.parse(text)))).toBe(JSON.stringify(workflow));
        const { metadata, spec } = workflow;
        const definition = { name: metadata.name, ...canonical.spec };
        expect(parseWorkflowDefinition(definition)).toMatchObject({
          ok: true,
          value: { workflow: { spec } },
        });
      }),
      { numRuns: 50 },
    );
  });
});
