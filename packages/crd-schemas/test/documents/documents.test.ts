import { describe, expect, it } from 'vitest';
import {
  parseMcpServer,
  parseWorkflow,
  toWorkflowDocument,
  type McpServerDocument,
  type StepDocument,
  type WorkflowDocument,
} from '../../src/index.ts';

type McpServerSpecDocument = McpServerDocument['spec'];

const apiVersion = 'gateway.internal/v1alpha1';

/** Accepts what the type accepts: what it refuses stands below under `@ts-expect-error`. */
const spec = (value: McpServerSpecDocument) => value;
const step = (value: StepDocument) => value;

describe('documents in TypeScript', () => {
  it('are documents that the parser accepts', () => {
    const server: McpServerDocument = {
      apiVersion,
      kind: 'MCPServer',
      metadata: { name: 'files', labels: { team: 'a' } },
      spec: {
        type: 'stdio',
        command: 'serve-files',
        args: ['-v'],
        cwd: 'servers',
        env: { A: '1' },
      },
    };
    const workflow: WorkflowDocument = {
      apiVersion,
      kind: 'Workflow',
      metadata: { name: 'restart' },
      spec: {
        args: { name: { type: 'string', required: true } },
        steps: [
          { id: 'get', tool: 'x_k8s_get', args: { name: '{{ .input.name }}' } },
          {
            id: 'each',
            forEach: {
              items: '{{ .results.get.items }}',
              steps: [{ id: 'one', tool: 'x_k8s_one' }],
            },
            condition: { fromStep: 'get', expect: { success: true } },
          },
        ],
      },
    };
    expect(parseMcpServer(server)).toMatchObject({ ok: true });
    expect(parseWorkflow(workflow)).toMatchObject({ ok: true });
  });

  it('cannot lack what their kind needs, nor have what it forbids', () => {
    const wrong: readonly McpServerSpecDocument[] = [
      // @ts-expect-error command is required when type is stdio
      spec({ type: 'stdio' }),
      // @ts-expect-error url is required when type is streamable-http
      spec({ type: 'streamable-http' }),
      // @ts-expect-error args are for stdio only
      spec({ type: 'sse', url: 'https://example.com/mcp', args: [] }),
      // @ts-expect-error headers are for remote servers only
      spec({ type: 'stdio', command: 'run', headers: {} }),
      // @ts-expect-error no such type
      spec({ type: 'http', url: 'https://example.com/mcp' }),
    ];
    const refused = wrong.map(
      (one) =>
        parseMcpServer({ apiVersion, kind: 'MCPServer', metadata: { name: 'a' }, spec: one }).ok,
    );
    expect(refused).toEqual([false, false, false, false, false]);
  });

  it('have steps of one kind', () => {
    const wrong: readonly StepDocument[] = [
      // @ts-expect-error one of tool, forEach and parallel
      step({ id: 'a' }),
      // @ts-expect-error tool excludes parallel
      step({ id: 'a', tool: 't', parallel: [{ id: 'b', tool: 't' }] }),
      step({
        id: 'a',
        tool: 't',
        // @ts-expect-error one source
        condition: { template: 'true', tool: 't', expect: { success: true } },
      }),
    ];
    const refused = wrong.map(
      (one) =>
        parseWorkflow({
          apiVersion,
          kind: 'Workflow',
          metadata: { name: 'a' },
          spec: { steps: [one] },
        }).ok,
    );
    expect(refused).toEqual([false, false, false]);
  });

  it('are what a parsed workflow is written as', () => {
    const document: WorkflowDocument = {
      apiVersion,
      kind: 'Workflow',
      metadata: { name: 'a' },
      spec: { steps: [{ id: 'b', tool: 't' }] },
    };
    const parsed = parseWorkflow(document);
    expect(parsed.ok && toWorkflowDocument(parsed.value.workflow)).toEqual(document);
  });
});
