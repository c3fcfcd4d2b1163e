import type { FinishedRun } from '../model/finished-run.ts';
import { fitsInBytes } from '../json/json-bytes.ts';
import { runDocument, type RunDocument } from './run-document.ts';

/** The most bytes of a run's document: no connection carries more at once. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** The document that the caller gets. */
export interface DeliveredDocument extends RunDocument {
  /** The error that replaces the document of the run; absent for its own document. */
  readonly error?: string;
}

const tooLarge = (run: FinishedRun, maxBytes: number): DeliveredDocument => {
  const error = `the result of the workflow is larger than ${maxBytes} bytes or nests too deeply`;
  const { executionId: execution_id, workflow } = run;
  return {
    value: { execution_id, workflow: workflow.metadata.name, error },
    isError: true,
    error,
  };
};

/** Returns the document of a run, or a failure with the reason when it is too large. */
export const deliveredDocument = (
  run: FinishedRun,
  maxBytes = MAX_DOCUMENT_BYTES,
): DeliveredDocument => {
  const document = runDocument(run);
  return fitsInBytes(document.value, maxBytes) ? document : tooLarge(run, maxBytes);
};
