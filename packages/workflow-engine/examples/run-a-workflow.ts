import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@gateway/call-contract';
import { parseWorkflow } from '@gateway/crd-schemas';
import { createWorkflowEngine, type EnginePorts } from '@gateway/workflow-engine';

const document = {
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'Workflow',
  metadata: { name: 'open-pods' },
  spec: {
    args: { cluster: { type: 'string', required: true } },
    steps: [{ id: 'pods', tool: 'x_k8s_pods', args: { cluster: '{{ .input.cluster }}' } }],
    output: {
      names: '{{ range .results.pods.items }}{{ .name }} {{ end }}',
      first: '{{ (index .results.pods.items 0).name }}',
      total: '{{ len .results.pods.items }}',
    },
  },
};

/** Ports of a program that keeps no records; a timer of Node yields to other work. */
export const portsWith = (callTool: EnginePorts['callTool']): EnginePorts => ({
  callTool,
  now: () => Date.now(),
  elapsed: () => performance.now(),
  newId: () => crypto.randomUUID(),
  warn: (text) => {
    process.stderr.write(`${text}\n`);
  },
  record: () => undefined,
  pause: setImmediate,
});

/** Runs a workflow of one step; `callTool` returns the pods of the cluster. */
export const openPods = async (ports: EnginePorts, args: unknown): Promise<JsonObject> => {
  const parsed = parseWorkflow(document);
  if (!parsed.ok) throw new Error('not a workflow');
  const engine = createWorkflowEngine(ports);
  return engine.run(parsed.value.workflow, args, { signal: new AbortController().signal });
};
