import type { JsonMap, JsonValue } from '@gateway/go-template';
import type { WorkflowDocument } from '../documents/workflow.ts';
import { DEFAULT_LOOP_VARIABLE, DEFAULT_NAMESPACE } from '../fields/limits.ts';
import type { ObjectMetadata } from '../fields/fields.ts';
import type {
  ArgumentDefinition,
  Condition,
  Expectation,
  Expectations,
  Step,
  ValueExpectation,
  Workflow,
  WorkflowSpec,
} from './workflow.ts';

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** Leaves out what is not set. */
const mapOf = (fields: Fields): JsonMap =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );

const unlessEmptyMap = (map: JsonMap): JsonMap | undefined =>
  Object.keys(map).length === 0 ? undefined : map;

const unlessEmptyList = (list: readonly JsonValue[]): readonly JsonValue[] | undefined =>
  list.length === 0 ? undefined : list;

const jsonPathDocument = (checks: readonly ValueExpectation[]): JsonMap => {
  const map = Object.create(null) as Record<string, JsonValue>;
  for (const { written, expected } of checks) map[written] = expected.source;
  return Object.freeze(map);
};

const expectationDocument = ({ success, jsonPath }: Expectation): JsonMap =>
  mapOf({ success, jsonPath: jsonPath && jsonPathDocument(jsonPath) });

const expectationFields = ({ expect, expectNot }: Expectations): Fields => ({
  expect: expect === undefined ? undefined : expectationDocument(expect),
  expectNot: expectNot === undefined ? undefined : expectationDocument(expectNot),
});

const sourceFields = (condition: Condition): Fields => {
  switch (condition.source) {
    case 'template':
      return { template: condition.template.source };
    case 'tool':
      return { tool: condition.tool, args: unlessEmptyMap(condition.args.source) };
    case 'fromStep':
      return { fromStep: condition.fromStep };
  }
};

const conditionDocument = (condition: Condition): JsonMap =>
  mapOf({ ...sourceFields(condition), ...expectationFields(condition) });

const kindFields = (step: Step): Fields => {
  switch (step.kind) {
    case 'tool':
      return { tool: step.tool, args: unlessEmptyMap(step.args.source) };
    case 'forEach': {
      const { items, as, steps } = step.forEach;
      return {
        forEach: mapOf({
          items: items.source,
          as: as === DEFAULT_LOOP_VARIABLE ? undefined : as,
          steps: steps.map(stepDocument),
        }),
      };
    }
    case 'parallel':
      return { parallel: step.parallel.map(stepDocument) };
  }
};

function stepDocument(step: Step): JsonMap {
  return mapOf({
    id: step.id,
    description: step.description,
    condition: step.condition === undefined ? undefined : conditionDocument(step.condition),
    ...kindFields(step),
    output: step.output,
    store: step.store,
    allowFailure: step.allowFailure ? true : undefined,
  });
}

const argumentDocument = (definition: ArgumentDefinition): JsonMap =>
  mapOf({
    type: definition.type,
    required: definition.required ? true : undefined,
    default: definition.default,
    description: definition.description,
  });

const argumentsDocument = (args: WorkflowSpec['args']): JsonMap => {
  const map = Object.create(null) as Record<string, JsonValue>;
  for (const [name, definition] of Object.entries(args)) map[name] = argumentDocument(definition);
  return map;
};

const metadataDocument = ({ name, namespace, labels, annotations }: ObjectMetadata): JsonMap =>
  mapOf({
    name,
    namespace: namespace === DEFAULT_NAMESPACE ? undefined : namespace,
    labels: unlessEmptyMap(labels),
    annotations,
  });

/**
 * Returns the canonical document of a workflow: camel case, in one order of keys, without defaults. Parsing it gives an equal
 * workflow. Maps with user-chosen keys have no prototype; parts are frozen.
 *
 * @spec §2.7
 */
export const toWorkflowDocument = ({
  apiVersion,
  kind,
  metadata,
  spec,
}: Workflow): WorkflowDocument => {
  const document = {
    apiVersion,
    kind,
    metadata: metadataDocument(metadata),
    spec: mapOf({
      description: spec.description === '' ? undefined : spec.description,
      args: unlessEmptyMap(argumentsDocument(spec.args)),
      steps: spec.steps.map(stepDocument),
      onFailure: unlessEmptyList(spec.onFailure.map(stepDocument)),
      output: spec.output?.source,
    }),
  };
  // Built key by key, which the type does not follow; a property test proves that it parses to an equal workflow.
  return document as unknown as WorkflowDocument;
};
