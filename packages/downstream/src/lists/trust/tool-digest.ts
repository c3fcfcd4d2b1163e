import type { ServerTool } from '@gateway/catalog';
import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { ToolField } from './tool-change.ts';

/** What is compared of a tool, in the order of a digest's parts. */
export const TOOL_FIELDS: readonly ToolField[] = [
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
];

/** One SHA-256 in base64url for each of {@link TOOL_FIELDS}, dots between them; empty for what the tool does not have. */
export type ToolDigest = string;

const valueOf: { readonly [F in ToolField]: (tool: ServerTool) => unknown } = {
  // Its own, and not that of its annotations.
  title: (tool) => (tool.listed === undefined ? tool.title : tool.listed['title']),
  description: (tool) => tool.description,
  inputSchema: (tool) => tool.inputSchema,
  outputSchema: (tool) => tool.outputSchema,
  // Every annotation, and not only those that the gateway knows.
  annotations: (tool) => tool.listed?.['annotations'] ?? tool.annotations,
};

const partOf = (value: unknown): string =>
  value === undefined ? '' : hash('sha256', canonicalJson(value), 'base64url');

const known = new WeakMap<ServerTool, ToolDigest>();

/** The digest of what a tool's callers are told; made once per object. */
export const digestOf = (tool: ServerTool): ToolDigest => {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const digest = TOOL_FIELDS.map((field) => partOf(valueOf[field](tool))).join('.');
  known.set(tool, digest);
  return digest;
};

/** The fields in which two digests differ. */
export const changedFields = (before: ToolDigest, after: ToolDigest): readonly ToolField[] => {
  if (before === after) return [];
  const [old, now] = [before.split('.'), after.split('.')];
  return TOOL_FIELDS.filter((_field, index) => old[index] !== now[index]);
};
