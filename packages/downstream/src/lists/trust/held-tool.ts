import type { JsonObject } from '@gateway/call-contract';
import type { ServerTool, ToolAnnotations } from '@gateway/catalog';
import type { Hint } from './server-ledger.ts';

const withHint = <T extends object>(annotations: T, hint: Hint): T => {
  const others = Object.entries(annotations).filter(([key]) => key !== 'readOnlyHint');
  const entries = hint === undefined ? others : [...others, ['readOnlyHint', hint] as const];
  return Object.fromEntries(entries) as T;
};

const listedWith = (listed: JsonObject, hint: Hint): JsonObject => {
  const annotations = listed['annotations'];
  if (typeof annotations !== 'object' || annotations === null) return listed;
  return { ...listed, annotations: withHint(annotations, hint) };
};

const made = new WeakMap<ServerTool, Map<Hint, ServerTool>>();

const make = (tool: ServerTool, hint: Hint): ServerTool => {
  const { annotations, ...rest } = tool;
  const hints: ToolAnnotations = withHint(annotations ?? {}, hint);
  return {
    ...rest,
    ...(Object.keys(hints).length > 0 && { annotations: hints }),
    ...(tool.listed && { listed: listedWith(tool.listed, hint) }),
  };
};

/** Returns the tool with another `readOnlyHint`, also in its listed entry; the same object for the same arguments. */
export const heldTool = (tool: ServerTool, hint: Hint): ServerTool => {
  const byHint = made.get(tool) ?? new Map<Hint, ServerTool>();
  const held = byHint.get(hint) ?? make(tool, hint);
  byHint.set(hint, held);
  made.set(tool, byHint);
  return held;
};
