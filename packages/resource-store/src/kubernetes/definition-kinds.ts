import { API_VERSION } from '@gateway/crd-schemas';
import type { ApiKind } from '@gateway/kube-client';
import type { ResourceKind } from '../port/resource-key.ts';

/** The kinds of definitions. */
export const KINDS: readonly ResourceKind[] = ['MCPServer', 'Workflow'];

/** The kinds of definitions as the API addresses them. */
export type DefinitionKinds = Readonly<Record<ResourceKind, ApiKind>>;

/** Returns the kinds in an API group. @spec §1.5, §9.1 */
export const definitionKinds = (group: string): DefinitionKinds => ({
  MCPServer: { kind: 'MCPServer', group, version: API_VERSION, resource: 'mcpservers' },
  Workflow: { kind: 'Workflow', group, version: API_VERSION, resource: 'workflows' },
});
