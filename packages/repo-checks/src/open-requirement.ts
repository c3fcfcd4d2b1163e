import type { Requirements } from './requirement.ts';

/** The packages that a requirement may belong to. Apps compose and own none. */
export type Owner =
  | 'agent-manager-client'
  | 'caller-auth'
  | 'catalog'
  | 'charts'
  | 'core-tools'
  | 'crd-schemas'
  | 'downstream'
  | 'downstream-auth'
  | 'events'
  | 'mcp-http'
  | 'meta-tools'
  | 'portal-ui'
  | 'preset-resolver'
  | 'resource-store'
  | 'toolset-composer'
  | 'toolset-grammar'
  | 'workflow-engine';

/** A requirement of the spec that no package proves yet, and the package that will. */
export interface OpenRequirement {
  readonly id: string;
  readonly text: string;
  readonly owner: Owner;
}

/** Lists open requirements (id -> text) of one future owner. */
export const openFor = (owner: Owner, requirements: Requirements): readonly OpenRequirement[] =>
  Object.entries(requirements).map(([id, text]) => ({ id, text, owner }));
