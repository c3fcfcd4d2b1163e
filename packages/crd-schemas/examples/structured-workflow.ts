import {
  parseWorkflowDefinition,
  listReferencedTools,
  listRequiredTools,
  WORKFLOW_DEFINITION_SCHEMA,
  toWorkflowDocument,
} from '@gateway/crd-schemas';

/** What a tool that takes workflows shows of them. */
export const inputSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, ...WORKFLOW_DEFINITION_SCHEMA },
  required: ['name', 'steps'],
};

/** The file of a workflow that came as arguments of a tool, older spellings included; or what is wrong with it. */
export const author = (definition: unknown) => {
  const parsed = parseWorkflowDefinition(definition);
  if (!parsed.ok) return parsed.error;
  const { workflow } = parsed.value;
  return {
    document: toWorkflowDocument(workflow),
    needs: listRequiredTools(workflow),
    names: listReferencedTools(workflow),
  };
};
