import type { JsonObject } from '@gateway/call-contract';
import type { JsonValue } from '@gateway/crd-schemas';
import { isJsonMap } from '@gateway/go-template';
import type { FinishedRun } from '../model/finished-run.ts';
import { deliveredDocument } from './delivered-document.ts';

const textItem = (value: JsonValue): JsonObject => ({ type: 'text', text: JSON.stringify(value) });

/**
 * Returns a run as the result of a tool call: its document as one text item of compact JSON, with `isError` when the run
 * failed. A second item contains the id of the run when an output template does not give an object.
 * @spec §2.7
 */
export const resultOf = (run: FinishedRun, document = deliveredDocument(run)): JsonObject => {
  const { value, isError } = document;
  return {
    content: isJsonMap(value)
      ? [textItem(value)]
      : [textItem(value), textItem({ execution_id: run.executionId })],
    ...(isError && { isError: true }),
  };
};
