import { formatCrd, createCustomResourceDefinition, createJsonSchema } from '@gateway/crd-schemas';
import { createConfigJsonSchema } from '@gateway/gateway-config';
import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';

type ResourceKind = 'mcpserver' | 'workflow';

export type DefinitionKind = ResourceKind | 'workflowexecution';

export type SchemaKind = ResourceKind | 'config';

export interface SchemasArguments {
  readonly apiGroup: string;
  readonly output: 'text' | 'json';
}

const KINDS = {
  mcpserver: 'MCPServer',
  workflow: 'Workflow',
} as const satisfies Readonly<Record<ResourceKind, string>>;

const DEFINED = {
  ...KINDS,
  workflowexecution: 'WorkflowExecution',
} as const satisfies Readonly<Record<DefinitionKind, string>>;

const ALL: readonly DefinitionKind[] = ['mcpserver', 'workflow', 'workflowexecution'];

/** Prints the CustomResourceDefinitions for `kubectl apply -f -`. @spec §1.5, §9.1 */
export function printCrds(
  kind: DefinitionKind | undefined,
  { apiGroup, output }: SchemasArguments,
  { stdout }: CliIo,
): CommandResult {
  const kinds = (kind === undefined ? ALL : [kind]).map((word) => DEFINED[word]);
  const items = kinds.map((one) => createCustomResourceDefinition(one, { apiGroup }));
  stdout.write(
    output === 'json'
      ? `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`
      : kinds.map((one) => formatCrd(one, { apiGroup })).join('---\n'),
  );
  return 'succeeded';
}

/** Prints the JSON Schema of a kind or of `config.yaml`, for editors. The schema of `config.yaml` has no API group. @spec §1.5 */
export function printSchema(
  kind: SchemaKind,
  { apiGroup }: Pick<SchemasArguments, 'apiGroup'>,
  { stdout }: CliIo,
): CommandResult {
  const schema =
    kind === 'config' ? createConfigJsonSchema() : createJsonSchema(KINDS[kind], { apiGroup });
  stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
  return 'succeeded';
}
