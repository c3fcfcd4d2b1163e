import { describe, expect, it } from 'vitest';
import { parseWorkflow, type Workflow } from '@gateway/crd-schemas';
import { toExecutionTool, toWorkflowInputSchema } from '../../src/index.ts';
import { requirement } from '../requirement.ts';
import { workflowOf } from '../run-harness.ts';

const steps = [{ id: 'a', tool: 'x_git_log' }];

const labelled = (labels: Readonly<Record<string, string>>): Workflow => {
  const parsed = parseWorkflow({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name: 'release', labels },
    spec: { steps },
  });
  if (!parsed.ok) throw new Error('not a workflow');
  return parsed.value.workflow;
};

requirement('2.7/exposed-tool', () => {
  it('gives the name, the description and the schema of the tool', () => {
    const args = { repo: { type: 'string', required: true } };
    const workflow = workflowOf({ description: 'Shows what changed.', args, steps }, 'changes');
    expect(toExecutionTool(workflow)).toEqual({
      name: 'changes',
      description: 'Shows what changed.',
      inputSchema: {
        type: 'object',
        properties: { repo: { type: 'string' } },
        required: ['repo'],
      },
      referencedTools: ['x_git_log'],
      requiredTools: ['x_git_log'],
    });
  });

  it('needs no tools of conditions', () => {
    const condition = { tool: 'x_git_status', expect: { success: true } };
    const onFailure = [{ id: 'b', tool: 'x_mail_send' }];
    const workflow = workflowOf({ steps: [{ ...steps[0], condition }], onFailure });
    expect(toExecutionTool(workflow)).toMatchObject({
      referencedTools: ['x_git_log', 'x_git_status', 'x_mail_send'],
      requiredTools: ['x_git_log', 'x_mail_send'],
    });
  });

  it('carries labels where there are some', () => {
    expect(toExecutionTool(labelled({ team: 'build' })).labels).toEqual({ team: 'build' });
    expect(Object.keys(toExecutionTool(labelled({})))).not.toContain('labels');
  });

  it('is the same object for the same workflow, and another for another', () => {
    const workflow = workflowOf({ steps });
    expect(toExecutionTool(workflow)).toBe(toExecutionTool(workflow));
    expect(toExecutionTool(workflowOf({ steps }))).not.toBe(toExecutionTool(workflow));
  });
});

describe('the schema of the arguments', () => {
  it('says of every type what it says in JSON Schema, with default and description', () => {
    const args = {
      count: { type: 'integer', default: 5, description: 'How many.' },
      name: { type: 'string', required: true },
      loud: { type: 'boolean', default: false },
      ratio: { type: 'number' },
      filter: { type: 'object', default: { a: null } },
      tags: { type: 'array', required: true },
    };
    expect(toWorkflowInputSchema(workflowOf({ args, steps }))).toEqual({
      type: 'object',
      properties: {
        count: { type: 'integer', default: 5, description: 'How many.' },
        name: { type: 'string' },
        loud: { type: 'boolean', default: false },
        ratio: { type: 'number' },
        filter: { type: 'object', default: { a: null } },
        tags: { type: 'array' },
      },
      required: ['name', 'tags'],
    });
  });

  it('allows more arguments, asks for none where none is required, and does not show _debug', () => {
    const schema = toWorkflowInputSchema(workflowOf({ steps }));
    expect(schema).toEqual({ type: 'object', properties: {} });
  });

  it('keeps the order of the document, and names of prototypes', () => {
    const args = JSON.parse(
      '{"zone":{"type":"string"},"constructor":{"type":"string"},"area":{"type":"string"}}',
    ) as unknown;
    const schema = toWorkflowInputSchema(workflowOf({ args, steps }));
    expect(Object.keys(schema['properties'] as object)).toEqual(['zone', 'constructor', 'area']);
  });
});
