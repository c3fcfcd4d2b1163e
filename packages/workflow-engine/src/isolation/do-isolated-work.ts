import type { JsonMap } from '@gateway/go-template';
import { doCheckWork } from './isolated-check.ts';
import { doRenderWork } from './isolated-render.ts';

/**
 * Does the work of a run in another process: renders templates or checks a condition. Pure, and without a time limit: the caller ends the
 * process.
 */
export const doIsolatedWork = (work: JsonMap): JsonMap => {
  const { kind } = work;
  if (kind === 'render') return doRenderWork(work);
  if (kind === 'check') return doCheckWork(work);
  throw new TypeError('unknown work');
};
