import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { AcceptOutcome } from '../lists/trust/server-ledger.ts';
import type { Supervisor } from './supervisor.ts';

/** Maximum time to write an acceptance, in milliseconds. */
const SAVE_MS = 5_000;

const savedInTime = async (declared: DeclaredTools): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), SAVE_MS);
  });
  const saved = await Promise.race([declared.saved(), late]);
  clearTimeout(timer);
  return saved;
};

/** Accepts the declarations of these tools, or of all, exposes held hints and writes the acceptance. */
export const acceptTools = async (
  supervisor: Supervisor | undefined,
  declared: DeclaredTools,
  tools: readonly string[] | undefined,
): Promise<AcceptOutcome> => {
  if (supervisor === undefined) return { kind: 'unknown' };
  const outcome = await declared.accept(supervisor.definition.metadata, tools);
  if (outcome.kind !== 'done' || outcome.tools.length === 0) return outcome;
  supervisor.refreshExposedLists();
  return (await savedInTime(declared)) ? outcome : { ...outcome, unsaved: true };
};
