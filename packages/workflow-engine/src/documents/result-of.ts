import type { JsonValue } from '@gateway/crd-schemas';
import type { FinishedRun } from '../finished-run.ts';
import type { ToolResult } from '../ports.ts';
import { fitsInBytes } from '../json/json-bytes.ts';
import { isJsonMap } from '../json/json-kinds.ts';
import { runDocument, type RunDocument } from './run-document.ts';

/** The most bytes of a run's document: no connection carries more at once. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

const textItem = (value: JsonValue): ToolResult => ({ type: 'text', text: JSON.stringify(value) });

const resultOfDocument = (executionId: string, { value, isError }: RunDocument): ToolResult => ({
  content: isJsonMap(value)
    ? [textItem(value)]
    : [textItem(value), textItem({ execution_id: executionId })],
  ...(isError && { isError: true }),
});

const tooLarge = (run: FinishedRun, maxBytes: number): RunDocument => ({
  value: {
    execution_id: run.executionId,
    workflow: run.workflow.metadata.name,
    error: `the result of the workflow is larger than ${maxBytes} bytes or nests too deeply`,
  },
  isError: true,
});

/**
 * A run as the result of a tool call: its document as one text item of compact JSON, `isError` when the run failed. A second
 * item names the run where an output template gives something else than an object.
 * @spec §2.7
 */
export const resultOf = (run: FinishedRun, maxBytes = MAX_DOCUMENT_BYTES): ToolResult => {
  const document = runDocument(run);
  const small = fitsInBytes(document.value, maxBytes);
  return resultOfDocument(run.executionId, small ? document : tooLarge(run, maxBytes));
};
