import { mcpServerSpecFields } from '../mcp-server/spec-fields.ts';
import { mcpServerStatusFields } from '../mcp-server/status-fields.ts';
import type { Field } from '../fields/field-facts.ts';
import { objectMetadataFields } from '../fields/object-metadata.ts';
import type { ResourceKind } from '../rules/cel-rule.ts';
import { workflowSpecFields } from '../workflow/fields/spec-fields.ts';
import { workflowStatusFields } from '../workflow/status/status-fields.ts';
import type { ObjectShape } from './field-shape.ts';
import { shapeOf } from './shape-of.ts';

/** The shape of a document of a kind. */
export interface ResourceShape {
  readonly about: string;
  readonly metadata: ObjectShape;
  readonly spec: ObjectShape;
  readonly status: ObjectShape;
}

interface ResourceFields {
  readonly about: string;
  readonly spec: Field;
  readonly status: Field;
}

const resources: Readonly<Record<ResourceKind, ResourceFields>> = {
  MCPServer: {
    about: 'A downstream MCP server, whose tools the gateway serves.',
    spec: mcpServerSpecFields,
    status: mcpServerStatusFields,
  },
  Workflow: {
    about: 'Many tool calls as one tool, workflow_<name>.',
    spec: workflowSpecFields,
    status: workflowStatusFields,
  },
};

const objectShapeOf = (field: Field): ObjectShape => {
  const shape = shapeOf(field);
  if (shape.kind !== 'object') throw new Error('a part of a resource is no object');
  return shape;
};

/** Returns the shape of a document of a kind. @spec §2.6, §2.7 */
export const resourceShapeOf = (kind: ResourceKind): ResourceShape => {
  const { about, spec, status } = resources[kind];
  return {
    about,
    metadata: objectShapeOf(objectMetadataFields),
    spec: objectShapeOf(spec),
    status: objectShapeOf(status),
  };
};
