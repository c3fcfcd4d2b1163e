import type { ServerTool } from '@gateway/catalog';
import { inSlices } from './in-slices.ts';
import { digestOf } from './trust/tool-digest.ts';

/** Computes the digests of a list in slices, so that later reads of them are fast. */
export const computeDigests = (tools: readonly ServerTool[]): Promise<void> =>
  inSlices(tools, digestOf);
