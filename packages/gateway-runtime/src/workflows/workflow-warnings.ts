import type { WorkflowResource } from '@gateway/resource-store';
import type { Logger } from 'pino';

/** Logs the warnings about workflows, once for each version of a workflow. @spec §2.7 */
export interface WorkflowWarnings {
  /** Logs a warning about a definition that a core tool received and may write next. */
  readonly warn: (text: string) => void;
  /** Logs the warnings about new versions in the store. */
  readonly follow: (
    now: readonly WorkflowResource[],
    previous: readonly WorkflowResource[],
  ) => void;
}

/** Maximum texts of core tools that are remembered until the store has the definition. */
const MAX_EARLY = 1000;

/** Creates the log of warnings. */
export function logWorkflowWarnings(logger: Logger): WorkflowWarnings {
  const early = new Set<string>();
  return {
    warn: (text) => {
      logger.warn(text);
      if (early.size >= MAX_EARLY) early.clear();
      early.add(text);
    },
    follow: (now, previous) => {
      const known = new Set(previous.map(versionOf));
      for (const one of now)
        if (one.valid && !known.has(one.workflow))
          for (const text of one.warnings) if (!early.delete(text)) logger.warn(text);
    },
  };
}

const versionOf = (one: WorkflowResource) => (one.valid ? one.workflow : undefined);
