/** A kind of resource on the command line. */
export type ResourceKind = 'mcpserver' | 'workflow';

/** A kind of CustomResourceDefinition on the command line. */
export type DefinitionKind = ResourceKind | 'workflowexecution';

/** A kind of schema on the command line. */
export type SchemaKind = ResourceKind | 'config';

/** Arguments of `gateway crds`. */
export interface SchemasArguments {
  readonly apiGroup: string;
  readonly output: 'text' | 'json';
}
