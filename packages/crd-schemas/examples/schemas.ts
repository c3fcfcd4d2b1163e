import {
  crdYaml,
  customResourceDefinition,
  fieldReference,
  jsonSchemaOf,
  serverArguments,
  serverBounds,
} from '@gateway/crd-schemas';

/** What an editor or a form is given, for resources in a group of one's own. */
export const schema = jsonSchemaOf('MCPServer', { apiGroup: 'tools.example.com' });

/** What a cluster is given: as data, and as text for `kubectl apply -f -`. */
export const definition = customResourceDefinition('Workflow');
export const manifests = [crdYaml('MCPServer'), crdYaml('Workflow')].join('---\n');

/** Every field of both kinds, as Markdown. */
export const reference = fieldReference();

/** What a tool shows that takes a server: one argument for each field. */
export const auth = serverArguments().find(({ name }) => name === 'auth')?.schema;
export const seconds = serverBounds('timeout');
