import {
  referencedToolsOf,
  requiredToolsOf,
  type ArgumentDefinition,
  type JsonMap,
  type JsonValue,
  type Workflow,
} from '@gateway/crd-schemas';

/** A workflow as a tool of a catalog. @spec §2.7 */
export interface ExecutionTool {
  /** The workflow's own name: the tool is `workflow_<name>`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonMap;
  /** `metadata.labels`; absent when empty. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Every tool that the workflow may call, sorted. */
  readonly referencedTools: readonly string[];
  /** The tools without which it is not available: those of its steps, not of its conditions. Sorted. */
  readonly requiredTools: readonly string[];
}

const schemaOf = ({ type, description, default: byDefault }: ArgumentDefinition): JsonMap => ({
  type,
  ...(description !== undefined && { description }),
  ...(byDefault !== undefined && { default: byDefault }),
});

/**
 * The JSON Schema of a workflow's arguments, in the order of the document. Arguments that it does not declare are allowed.
 * @spec §2.7
 */
export const workflowInputSchema = (workflow: Workflow): JsonMap => {
  const properties = Object.create(null) as Record<string, JsonValue>;
  const required: string[] = [];
  for (const [name, definition] of Object.entries(workflow.spec.args)) {
    properties[name] = schemaOf(definition);
    if (definition.required) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
};

const toolOf = (workflow: Workflow): ExecutionTool => {
  const { name, labels } = workflow.metadata;
  return {
    name,
    description: workflow.spec.description,
    inputSchema: workflowInputSchema(workflow),
    ...(Object.keys(labels).length > 0 && { labels }),
    referencedTools: referencedToolsOf(workflow),
    requiredTools: requiredToolsOf(workflow),
  };
};

const tools = new WeakMap<Workflow, ExecutionTool>();

/** Returns the tool that a workflow is exposed as. One workflow has one tool: the same object each time. @spec §2.7 */
export const executionToolOf = (workflow: Workflow): ExecutionTool => {
  const known = tools.get(workflow);
  if (known !== undefined) return known;
  const tool = toolOf(workflow);
  tools.set(workflow, tool);
  return tool;
};
