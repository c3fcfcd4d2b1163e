import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { AcceptOutcome } from '../lists/trust/tool-change.ts';
import type { Supervisor } from './supervisor.ts';

/** How long an acceptance waits to be written down. */
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

/** Accepts what a server says of these tools, or of all: what was held back is offered, and then it is written down. */
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
