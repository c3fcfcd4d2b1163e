/** A kind of resource, as the command line writes it. */
export type KindWord = 'mcpserver' | 'workflow';

/** What a schema is printed of. */
export type SchemaWord = KindWord | 'config';

/** What `gateway validate` is given. */
export interface ValidateArguments {
  readonly configDir: string;
  readonly output: 'text' | 'json';
}

/** What `gateway crds` is given. */
export interface SchemasArguments {
  readonly apiGroup: string;
  readonly output: 'text' | 'json';
}
