import type { JsonMap } from '@gateway/crd-schemas';
import { refuseYaml } from '@gateway/files';
import type { ParseElsewhere } from '@gateway/resource-store';
import type { IsolatedResult, IsolatedWork, IsolationLimits } from '@gateway/workflow-engine';
import { finishPaced, joinParts, splitValue } from './value-parts.ts';
import { WorkerPool, type PoolLimits } from './worker-pool.ts';

/** Does the large work of runs in other processes. */
export interface Isolation {
  /** Never rejects. */
  readonly isolate: (work: IsolatedWork) => Promise<IsolatedResult>;
  /** Ends all processes. Their work fails. */
  readonly close: () => void;
}

/** Creates the isolation of runs, without processes until there is work. */
export function createIsolation(limits: IsolationLimits): Isolation {
  const pool = new WorkerPool({ ...limits, idleMs: 30_000 });
  const failures = {
    cancelled: 'cancelled',
    'too-long': `the rendering takes longer than the ${String(limits.timeoutMs / 1000)} s allowed (renderTimeoutSeconds)`,
    ended: `the rendering needs more than the ${String(limits.memoryBytes)} bytes of memory allowed (renderMemoryBytes)`,
    'not-started': 'the process that renders large templates cannot be started',
  };
  return {
    isolate: async ({ work, turn, signal }) => {
      const outcome = await pool.run({
        name: 'render',
        // The messages of a large value would block this process otherwise.
        input: () => finishPaced(splitValue(work())),
        read: async (parts) => (await finishPaced(joinParts(parts))) as JsonMap,
        turn,
        signal,
      });
      if (outcome.ok) return outcome;
      return {
        ok: false,
        text: 'message' in outcome ? outcome.message : failures[outcome.failure],
      };
    },
    close: () => {
      pool.close();
    },
  };
}

const YAML_LIMITS: PoolLimits = {
  processes: 1,
  memoryBytes: 512 * 1024 * 1024,
  timeoutMs: 30_000,
  // A process takes 90 MB, and most texts are read at the start.
  idleMs: 1000,
};

/** Creates a function that parses large YAML texts in another process, one after the other. */
export function createYamlParser(): ParseElsewhere {
  const pool = new WorkerPool(YAML_LIMITS);
  return async (text, paths = []) => {
    const outcome = await pool.run({
      name: 'parseYaml',
      input: () => Promise.resolve({ text, paths }),
      read: (answer) => Promise.resolve(answer),
      turn: { user: '' },
    });
    if (outcome.ok) return outcome.result;
    return refuseYaml(
      outcome.failure === 'too-long'
        ? `takes longer than ${String(YAML_LIMITS.timeoutMs / 1000)} seconds to parse`
        : 'cannot be parsed: the parser ran out of memory or could not start',
    );
  };
}
