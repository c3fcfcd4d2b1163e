import { parseWorkflow, formatError, formatWarning } from '@gateway/crd-schemas';

/** Returns the problems of a workflow document, or the warnings if it is valid. */
export const review = (document: unknown): readonly string[] => {
  const parsed = parseWorkflow(document);
  if (!parsed.ok) return parsed.error.map(formatError);
  const { workflow, warnings } = parsed.value;
  return warnings.map((warning) => formatWarning(warning, workflow.metadata.name));
};

const resource = { apiVersion: 'gateway.internal/v1alpha1', kind: 'Workflow' };
const metadata = { name: 'restart' };

review({
  ...resource,
  metadata,
  spec: {
    steps: [{ id: 'get', tool: 'x_k8s_get', args: { name: '{{ .input.name | shout }}' } }],
    onFailure: [{ id: 'get', tool: 'x_chat_post' }],
  },
});
// spec.steps[0].args.name: template line 1, column 18: function "shout" not defined
// spec.onFailure[0].id: duplicate step ID 'get' found
review({
  ...resource,
  metadata,
  spec: {
    steps: [
      { id: 'get', tool: 'x_k8s_get' },
      {
        id: 'post',
        tool: 'x_chat_post',
        condition: { fromStep: 'got', expect: { success: true } },
      },
    ],
  },
});
// Workflow "restart" has conditions on results of steps that it does not have, on: post. Such a condition fails its step.
