import {
  formatCrd,
  createCustomResourceDefinition,
  renderFieldReference,
  createJsonSchema,
  listServerArguments,
  findServerBounds,
} from '@gateway/crd-schemas';

/** What an editor or a form is given, for resources in a group of one's own. */
export const schema = createJsonSchema('MCPServer', { apiGroup: 'tools.example.com' });

/** What a cluster is given: as data, and as text for `kubectl apply -f -`. */
export const definition = createCustomResourceDefinition('Workflow');
export const manifests = [formatCrd('MCPServer'), formatCrd('Workflow')].join('---\n');

/** Every field of both kinds, as Markdown. */
export const reference = renderFieldReference();

/** What a tool shows that takes a server: one argument for each field. */
export const auth = listServerArguments().find(({ name }) => name === 'auth')?.schema;
export const seconds = findServerBounds('timeout');
