import {
  type ArgumentDefinition,
  isArgumentValue,
  DEBUG_ARGUMENT,
  type JsonMap,
  type JsonValue,
  listReferencedTools,
  listRequiredTools,
  type Workflow,
} from '@gateway/crd-schemas';
import { isJsonMap } from '@gateway/go-template';
import { isDeeperThan, MAX_JSON_LEVELS } from './json-size.ts';

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

const toArgumentSchema = ({
  type,
  description,
  default: byDefault,
}: ArgumentDefinition): JsonMap => ({
  type,
  ...(description !== undefined && { description }),
  ...(byDefault !== undefined && { default: byDefault }),
});

/**
 * The JSON Schema of a workflow's arguments, in the order of the document. Arguments that it does not declare are allowed.
 * @spec §2.7
 */
export const toWorkflowInputSchema = (workflow: Workflow): JsonMap => {
  const properties = Object.create(null) as Record<string, JsonValue>;
  const required: string[] = [];
  for (const [name, definition] of Object.entries(workflow.spec.args)) {
    properties[name] = toArgumentSchema(definition);
    if (definition.required) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
};

const toTool = (workflow: Workflow): ExecutionTool => {
  const { name, labels } = workflow.metadata;
  return {
    name,
    description: workflow.spec.description,
    inputSchema: toWorkflowInputSchema(workflow),
    ...(Object.keys(labels).length > 0 && { labels }),
    referencedTools: listReferencedTools(workflow),
    requiredTools: listRequiredTools(workflow),
  };
};

const tools = new WeakMap<Workflow, ExecutionTool>();

/** Returns the tool that a workflow is exposed as. One workflow has one tool: the same object each time. @spec §2.7 */
export const toExecutionTool = (workflow: Workflow): ExecutionTool => {
  const known = tools.get(workflow);
  if (known !== undefined) return known;
  const tool = toTool(workflow);
  tools.set(workflow, tool);
  return tool;
};

/** The validated arguments of a run, or the reason that they are refused. In both cases `input` is what a record contains. */
export type ValidatedArguments = {
  /** With defaults, without `_debug`. Without prototype. */
  readonly input: JsonMap;
  readonly debug: boolean;
} & ({ readonly ok: true } | { readonly ok: false; readonly error: string });

const validateArgument = (
  name: string,
  { type, required }: ArgumentDefinition,
  input: JsonMap,
): string | undefined => {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined) return required ? `required field '${name}' is missing` : undefined;
  return isArgumentValue(type, value)
    ? undefined
    : `field '${name}' has wrong type, expected ${type}`;
};

/** Returns a copy of the arguments; a key without a value is dropped. */
const copyArguments = (given: object): Record<string, JsonValue> => {
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const [name, value] of Object.entries(given) as [string, JsonValue | undefined][]) {
    if (name !== DEBUG_ARGUMENT && value !== undefined) copy[name] = value;
  }
  return copy;
};

const isDebugRequest = (given: JsonMap): boolean => {
  const value = Object.hasOwn(given, DEBUG_ARGUMENT) ? given[DEBUG_ARGUMENT] : undefined;
  return value === true || value === 'true';
};

/** Returns the reason that the arguments are refused as a whole. */
const validateShape = (source: JsonValue): string | undefined => {
  if (!isJsonMap(source)) return 'arguments must be an object';
  return isDeeperThan(source, MAX_JSON_LEVELS)
    ? `arguments are nested more than ${MAX_JSON_LEVELS} levels deep`
    : undefined;
};

const createRefusal = (input: JsonMap, debug: boolean, why: string): ValidatedArguments => ({
  ok: false,
  input,
  debug,
  error: `input validation failed: ${why}`,
});

/**
 * Validates the arguments of a call: `_debug` is removed, then each declared argument in the order of the document must be
 * present if required and have its type. Nothing is converted: `"5"` is not an integer and `null` has no type. Defaults replace
 * absent arguments; undeclared arguments are accepted. Absent arguments are an empty object.
 * @spec §2.7
 */
export const validateArguments = (workflow: Workflow, given: unknown): ValidatedArguments => {
  const source = (given ?? {}) as JsonValue;
  const wholeRefusal = validateShape(source);
  if (wholeRefusal !== undefined) return createRefusal(copyArguments({}), false, wholeRefusal);
  const input = copyArguments(source as JsonMap);
  const debug = isDebugRequest(source as JsonMap);
  for (const [name, definition] of Object.entries(workflow.spec.args)) {
    const refusal = validateArgument(name, definition, input);
    if (refusal !== undefined) return createRefusal(input, debug, refusal);
    if (!Object.hasOwn(input, name) && definition.default !== undefined) {
      input[name] = definition.default;
    }
  }
  return { ok: true, input, debug };
};
