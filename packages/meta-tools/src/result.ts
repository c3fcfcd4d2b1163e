import type { MetaToolResult } from './meta-tool.ts';
import type { MetaToolPorts, ToolsetRefusalReason } from './ports.ts';
import { refusalText, type Refusal } from './refusal.ts';

/** A result of one text item that holds compact JSON. The value is serialised here, once. */
export const jsonResult = (value: unknown): MetaToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

const toolsetReasonOf = (refusal: Refusal): ToolsetRefusalReason | undefined => {
  if (refusal.code === 'toolset.outside') return 'outside';
  return refusal.code === 'toolset.refused' ? refusal.reason : undefined;
};

/** A failed result: one text item with one plain sentence. A refusal because of the toolset is told to the world here, once. */
export const refusalResult = (
  refusal: Refusal,
  ports: Pick<MetaToolPorts, 'onToolsetRefusal'>,
): MetaToolResult => {
  const reason = toolsetReasonOf(refusal);
  if (reason !== undefined) ports.onToolsetRefusal(reason);
  return { content: [{ type: 'text', text: refusalText(refusal) }], isError: true };
};
