import type { GeneratedFile } from '@gateway/repo-checks';
import { documentTypes, fieldLists } from './document-types.ts';
import {
  formatCrd,
  renderFieldReference,
  createJsonSchema,
  type ResourceKind,
} from './src/index.ts';

const HERE = 'packages/crd-schemas';
const NOTE = '# Generated from the definitions of the fields by `pnpm gen`.\n';

const schemaText = (kind: ResourceKind): string =>
  `${JSON.stringify(createJsonSchema(kind), null, 2)}\n`;

/** Schemas, types and the reference of the resources, all from the definitions of the fields and the rules. */
export const generated: readonly GeneratedFile[] = [
  { path: `${HERE}/generated/mcpservers.crd.yaml`, text: () => NOTE + formatCrd('MCPServer') },
  { path: `${HERE}/generated/workflows.crd.yaml`, text: () => NOTE + formatCrd('Workflow') },
  {
    path: `${HERE}/generated/workflowexecutions.crd.yaml`,
    text: () => NOTE + formatCrd('WorkflowExecution'),
  },
  { path: `${HERE}/generated/mcpserver.schema.json`, text: () => schemaText('MCPServer') },
  { path: `${HERE}/generated/workflow.schema.json`, text: () => schemaText('Workflow') },
  { path: `${HERE}/src/documents/field-lists.ts`, text: fieldLists },
  { path: `${HERE}/src/documents/documents.ts`, text: documentTypes },
  { path: 'docs/reference/resources.md', text: renderFieldReference },
];
