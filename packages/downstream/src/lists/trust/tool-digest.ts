import type { ServerTool } from '@gateway/catalog';
import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { ToolField } from './tool-change.ts';

/** The compared fields of a tool, in the order of the parts of a digest. */
export const TOOL_FIELDS: readonly ToolField[] = [
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
];

/** One SHA-256 in base64url per field of {@link TOOL_FIELDS}, separated by dots; empty for absent fields. */
export type ToolDigest = string;

const valueOf: { readonly [F in ToolField]: (tool: ServerTool) => unknown } = {
  // The title of the tool itself, not the one of its annotations.
  title: (tool) => (tool.listed === undefined ? tool.title : tool.listed['title']),
  description: (tool) => tool.description,
  inputSchema: (tool) => tool.inputSchema,
  outputSchema: (tool) => tool.outputSchema,
  // All annotations, including those that the gateway does not know.
  annotations: (tool) => tool.listed?.['annotations'] ?? tool.annotations,
};

const partOf = (value: unknown): string =>
  value === undefined ? '' : hash('sha256', canonicalJson(value), 'base64url');

const known = new WeakMap<ServerTool, ToolDigest>();

/** Returns the digest of a tool's declaration. Computed once per object. */
export const digestOf = (tool: ServerTool): ToolDigest => {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const digest = TOOL_FIELDS.map((field) => partOf(valueOf[field](tool))).join('.');
  known.set(tool, digest);
  return digest;
};

/** Returns the fields in which two digests differ. */
export const changedFields = (before: ToolDigest, after: ToolDigest): readonly ToolField[] => {
  if (before === after) return [];
  const [old, now] = [before.split('.'), after.split('.')];
  return TOOL_FIELDS.filter((_field, index) => old[index] !== now[index]);
};
