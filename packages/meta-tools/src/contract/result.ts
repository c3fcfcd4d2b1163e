import { RPC_CODE, type RpcError } from '@gateway/call-contract';
import type { MetaToolAnswer } from './meta-tool.ts';
import type { MetaToolPorts, ToolsetRefusalReason } from './ports.ts';
import { refusalText, type Refusal } from './refusal.ts';

/** A result of one text item that holds compact JSON. The value is written here, once, and so is the result. */
export const jsonResult = (value: unknown): MetaToolAnswer => {
  const text = JSON.stringify(value);
  return {
    result: { content: [{ type: 'text', text }] },
    json: `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`,
  };
};

const toolsetReasonOf = (refusal: Refusal): ToolsetRefusalReason | undefined => {
  if (refusal.code === 'toolset.outside') return 'outside';
  return refusal.code === 'toolset.refused' ? refusal.reason : undefined;
};

/** Reports a refusal because of the toolset through the ports; does nothing for any other refusal. */
const reportToolsetRefusal = (
  refusal: Refusal,
  ports: Pick<MetaToolPorts, 'onToolsetRefusal'>,
): void => {
  const reason = toolsetReasonOf(refusal);
  if (reason !== undefined) ports.onToolsetRefusal(reason);
};

/**
 * Returns a failed result: one text item with one sentence. A refusal because of the toolset is reported through the ports,
 * once.
 */
export const refusalResult = (
  refusal: Refusal,
  ports: Pick<MetaToolPorts, 'onToolsetRefusal'>,
): MetaToolAnswer => {
  reportToolsetRefusal(refusal, ports);
  return { result: { content: [{ type: 'text', text: refusalText(refusal) }], isError: true } };
};

/**
 * Returns the error of a refusal because of the toolset, for a request whose result cannot carry it. The refusal is reported
 * through the ports, once.
 *
 * @spec §7.1, §7.2
 */
export const toolsetRefusalError = (
  refusal: Refusal,
  ports: Pick<MetaToolPorts, 'onToolsetRefusal'>,
): RpcError => {
  reportToolsetRefusal(refusal, ports);
  return { code: RPC_CODE.invalidParams, message: refusalText(refusal) };
};
