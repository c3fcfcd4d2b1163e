import type { WorkflowResource } from '@gateway/resource-store';
import type { Logger } from 'pino';

/** The warnings about workflows, each logged once for each version, whoever finds it first. @spec §2.7 */
export interface WorkflowWarnings {
  /** A core tool found it in what it was given, which it may write in a moment. */
  readonly warn: (text: string) => void;
  /** The store shows other versions than before. */
  readonly follow: (
    now: readonly WorkflowResource[],
    previous: readonly WorkflowResource[],
  ) => void;
}

/** Texts of core tools that are remembered until the store shows what they wrote. */
const MAX_AHEAD = 1000;

/** Writes the warnings to the log. */
export function logWorkflowWarnings(logger: Logger): WorkflowWarnings {
  const ahead = new Set<string>();
  return {
    warn: (text) => {
      logger.warn(text);
      if (ahead.size >= MAX_AHEAD) ahead.clear();
      ahead.add(text);
    },
    follow: (now, previous) => {
      const known = new Set(previous.map(versionOf));
      for (const one of now)
        if (one.valid && !known.has(one.workflow))
          for (const text of one.warnings) if (!ahead.delete(text)) logger.warn(text);
    },
  };
}

const versionOf = (one: WorkflowResource) => (one.valid ? one.workflow : undefined);
