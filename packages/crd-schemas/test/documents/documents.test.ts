import { expect, it } from 'vitest';
import {
  parseMcpServer,
  parseWorkflow,
  type McpServerDocument,
  type StepDocument,
  type WorkflowDocument,
} from '../../src/index.ts';

const apiVersion = 'gateway.internal/v1alpha1';
const metadata = { name: 'a' };

/** Accepts what the types accept: what they refuse stands below under `@ts-expect-error`. */
const isServer = (spec: McpServerDocument['spec']): boolean => {
  const document: McpServerDocument = { apiVersion, kind: 'MCPServer', metadata, spec };
  return parseMcpServer(document).ok;
};
const isWorkflow = (...steps: StepDocument[]): boolean => {
  const spec = { args: { name: { type: 'string', required: true } }, steps } as const;
  const document: WorkflowDocument = { apiVersion, kind: 'Workflow', metadata, spec };
  return parseWorkflow(document).ok;
};

it('types refuse what the parser refuses: what a server needs and forbids', () => {
  expect(isServer({ type: 'stdio', command: 'run', args: ['-v'], cwd: 'a', env: { A: '1' } })).toBe(
    true,
  );
  const url = 'https://example.com/mcp';
  // @ts-expect-error command is required when type is stdio
  expect(isServer({ type: 'stdio' })).toBe(false);
  // @ts-expect-error url is required when type is streamable-http
  expect(isServer({ type: 'streamable-http' })).toBe(false);
  // @ts-expect-error args are for stdio only
  expect(isServer({ type: 'sse', url, args: [] })).toBe(false);
  // @ts-expect-error headers are for remote servers only
  expect(isServer({ type: 'stdio', command: 'run', headers: {} })).toBe(false);
  // @ts-expect-error no such type
  expect(isServer({ type: 'http', url })).toBe(false);
});

it('types refuse what the parser refuses: steps of several kinds', () => {
  const steps: readonly StepDocument[] = [{ id: 'b', tool: 't' }];
  const condition = { fromStep: 'a', expect: { success: true } };
  const forEach = { items: '{{ .input.name }}', steps: [{ id: 'c', tool: 't' }] } as const;
  expect(isWorkflow(...steps, { id: 'd', forEach, condition })).toBe(true);
  // @ts-expect-error one of tool, forEach and parallel
  expect(isWorkflow({ id: 'a' })).toBe(false);
  // @ts-expect-error tool excludes parallel
  expect(isWorkflow({ id: 'a', tool: 't', parallel: [{ id: 'b', tool: 't' }] })).toBe(false);
  const sources = { template: 'x', tool: 't', expect: { success: true } };
  // @ts-expect-error one source
  expect(isWorkflow({ id: 'a', tool: 't', condition: sources })).toBe(false);
});
