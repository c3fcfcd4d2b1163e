import { refused, type Answer } from '../refusals/refusal.ts';
import type { OperationDraft } from './operation-draft.ts';
import { OPERATIONS, type OperationName } from './operations.ts';

// PLACEHOLDER until its owner writes it: see the brief.
export const parseArguments = <Name extends OperationName>(
  name: Name,
  given: unknown,
): Answer<OperationDraft<Name>> => {
  const parsed = OPERATIONS[name].input.partial().safeParse(given);
  return parsed.success
    ? { ok: true, value: parsed.data as OperationDraft<Name> }
    : refused('invalid_request', `invalid JSON: ${parsed.error.message}`);
};
