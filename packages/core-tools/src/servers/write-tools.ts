import type { JsonObject } from '@gateway/call-contract';
import {
  apiVersionOf,
  MCP_SERVER_KIND,
  parseMcpServer,
  validationIssueText,
  valuesElsewhere,
  valuesElsewhereText,
  type ValueElsewhere,
} from '@gateway/crd-schemas';
import { CREATES, DISRUPTS, ENDS_OR_REPLACES, READS } from '../tool/annotations.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import type { CoreToolPorts } from '../tool/ports.ts';
import type { RestrictedWrite, ServerWriteOutcome } from '../tool/writer-ports.ts';
import { failedResult, sentenceResult } from '../tool/result.ts';
import { withoutSecrets } from '../secrets/redaction.ts';
import { keepSecrets } from '../secrets/secret-placeholders.ts';
import {
  CHECKED_ARGUMENTS,
  CREATE_ARGUMENTS,
  SERVER_NAME,
  UPDATE_ARGUMENTS,
} from './definition-arguments.ts';
import { definitionProblem } from './definition-problem.ts';
import { newReferenceProblem, restrictedProblem } from './secret-references.ts';
import { registrationOf } from './registered-by.ts';

/** Returns a definition in fields: the name, and the given fields of `spec`. */
interface Definition {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** `type` comes first, as in hand-written files. */
const specOf = ({ name: _name, type, ...fields }: Definition): JsonObject => ({
  ...(type !== undefined && { type }),
  ...fields,
});

/** Returns the resource of a definition, or its problems. @spec §2.6, §7.6 */
const documentOf = (
  definition: Definition,
  ports: CoreToolPorts,
  annotations: JsonObject = {},
): { readonly document: JsonObject } | { readonly problems: readonly string[] } => {
  const { apiGroup } = ports;
  const spec = keepSecrets({}, specOf(definition));
  if (!spec.ok) return spec;
  const document = {
    apiVersion: apiVersionOf(apiGroup),
    kind: MCP_SERVER_KIND,
    metadata: { name: definition.name, ...annotations },
    spec: spec.patch,
  };
  const refused = newReferenceProblem(spec.patch, ports);
  if (refused !== undefined) return { problems: [refused] };
  const parsed = parseMcpServer(document, apiGroup === undefined ? {} : { apiGroup });
  return parsed.ok
    ? { document }
    : {
        problems: parsed.issues.map((issue) =>
          definitionProblem(validationIssueText(issue), definition['type']),
        ),
      };
};

const invalidResult = (problems: readonly string[]): JsonObject =>
  failedResult(`Invalid MCP server definition: ${problems.join('; ')}`, { problems });

const doneResult = (sentence: string, removed: readonly ValueElsewhere[]): JsonObject =>
  removed.length === 0
    ? sentenceResult(sentence)
    : sentenceResult(`${sentence}. ${valuesElsewhereText(removed)}`, {
        removed: removed.map(({ field, name }) => `${field}.${name}`),
      });

type Verb = 'create' | 'update' | 'delete';

const writeResult = (
  verb: Verb,
  { name, ...fields }: Definition,
  outcome: ServerWriteOutcome | RestrictedWrite,
  removed: readonly ValueElsewhere[] = [],
): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return doneResult(`MCP server '${name}' ${verb}d successfully`, removed);
    case 'exists':
      return failedResult(`MCP server '${name}' already exists`);
    case 'missing':
      return failedResult(`Failed to ${verb} MCP server: MCP server ${name} not found`);
    case 'invalid':
      return invalidResult(outcome.issues.map((issue) => definitionProblem(issue, fields['type'])));
    case 'restricted':
      return invalidResult([restrictedProblem(outcome.field)]);
    case 'failed':
      return failedResult(`Failed to ${verb} MCP server: ${outcome.text}`);
  }
};

/** Returns the values that `***` in a patch stands for. */
const currentSpec = (name: string, ports: CoreToolPorts): JsonObject => ({
  ...ports.servers().find((one) => one.name === name)?.definition.spec,
});

const isOtherCommand = ({ command: before }: JsonObject, { command }: JsonObject): boolean =>
  typeof command === 'string' && command !== before;

/** Returns whether arguments have values that are masked. */
const hidesArguments = ({ args }: JsonObject): boolean =>
  JSON.stringify(withoutSecrets({ args })) !== JSON.stringify({ args });

const OTHER_ARGUMENTS =
  'args has hidden values, which were for another command: give the arguments of this one';

/** Returns a patch that also removes values; a list is in the patch already, or is removed as a whole. */
const withoutValues = (patch: JsonObject, values: readonly ValueElsewhere[]): JsonObject => {
  const removed: Record<string, unknown> = { ...patch };
  for (const { field, name } of values)
    if (field === 'headersFrom' || field === 'envFrom') removed[field] ??= null;
    else removed[field] = { ...(removed[field] as JsonObject | undefined), [name]: null };
  return removed;
};

/** The tools that check and write servers. @spec §2.6 */
export const serverWriteTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_mcpserver_validate',
    description: 'Check the definition of an MCP server without creating it.',
    annotations: READS,
    arguments: CHECKED_ARGUMENTS,
    run: (definition, ports) => {
      const made = documentOf(definition, ports);
      return 'problems' in made
        ? failedResult(`Validation failed: ${made.problems.join('; ')}`, {
            problems: made.problems,
          })
        : sentenceResult(`Validation successful for mcpserver ${definition.name}`);
    },
  }),
  defineCoreTool({
    name: 'core_mcpserver_create',
    description: 'Create an MCP server; it starts at once with autoStart.',
    annotations: CREATES,
    arguments: CREATE_ARGUMENTS,
    run: async (definition, ports, context) => {
      const made = documentOf(definition, ports, registrationOf(ports, context));
      if ('problems' in made) return invalidResult(made.problems);
      return writeResult('create', definition, await ports.writeServer.create(made.document));
    },
  }),
  defineCoreTool({
    name: 'core_mcpserver_update',
    description:
      'Change fields of an MCP server: what is left out stays, null removes a field or a key, lists are replaced, *** keeps a secret.',
    annotations: ENDS_OR_REPLACES,
    arguments: UPDATE_ARGUMENTS,
    run: async (definition, ports) => {
      const { name } = definition;
      const current = currentSpec(name, ports);
      const change = specOf(definition);
      const hasOtherCommand = isOtherCommand(current, change);
      if (hasOtherCommand && change['args'] === undefined && hidesArguments(current))
        return invalidResult([OTHER_ARGUMENTS]);
      const kept = keepSecrets(hasOtherCommand ? { ...current, args: [] } : current, change);
      if (!kept.ok) return invalidResult(kept.problems);
      const refused = newReferenceProblem(kept.patch, ports);
      if (refused !== undefined) return invalidResult([refused]);
      const limits = { keepsDestination: !ports.permitsSecretReferences() };
      const removed = valuesElsewhere(current, kept.patch);
      const patch = withoutValues(kept.patch, removed);
      const outcome = await ports.writeServer.patch(name, patch, limits);
      return writeResult('update', definition, outcome, removed);
    },
  }),
  defineCoreTool({
    name: 'core_mcpserver_delete',
    description: 'Delete an MCP server permanently; a running server is stopped.',
    annotations: DISRUPTS,
    arguments: { name: SERVER_NAME },
    run: async ({ name }, ports) =>
      writeResult('delete', { name }, await ports.writeServer.remove(name)),
  }),
];
