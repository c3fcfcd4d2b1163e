import { MAX_BODY_BYTES } from '../limits.ts';
import type { OperationInput, OperationName } from '../operations/operations.ts';
import { reasonOf } from '../refusals/refusal.ts';
import type { HttpCall } from '../requests/http-request.ts';
import { writeRequest } from '../requests/write-request.ts';
import { failed, type Failed } from './client-answer.ts';

/** A missing namespace is not replaced: only agent-manager knows its default. */
const NO_DEFAULT = { namespace: '' };

const unsendable = (reason: string): Failed => failed('unsendable', reason);

/**
 * Returns the request of an operation, or the reason why it cannot be sent. The arguments are not validated here: agent-manager
 * validates them.
 */
export const operationCall = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
): { readonly ok: true; readonly value: HttpCall } | Failed => {
  try {
    const call = writeRequest(name, input, NO_DEFAULT);
    if (!call.ok) return unsendable(reasonOf(call.refusal));
    const bytes = new TextEncoder().encode(call.value.body).length;
    return bytes <= MAX_BODY_BYTES
      ? call
      : unsendable(`the arguments take ${bytes} bytes, more than the ${MAX_BODY_BYTES} of a body`);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return unsendable(`the arguments have no JSON: ${reason}`);
  }
};
