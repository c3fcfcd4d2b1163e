import type { McpServer } from '@gateway/crd-schemas';
import type { ResourceProblem } from '../resource-problem.ts';
import type { ConfigDocument } from '../store-state.ts';

/** What a file amounts to. */
export type Outcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'config'; readonly config: ConfigDocument; readonly text: string }
  | { readonly kind: 'server'; readonly server: McpServer }
  | { readonly kind: 'problems'; readonly problems: readonly ResourceProblem[] };

/** Whether the file can be used as it is. */
export const isGood = (outcome: Outcome): boolean =>
  outcome.kind === 'config' || outcome.kind === 'server';

/** Whether two versions of a file say the same, so that the older one may stay in use. */
export const saysTheSame = (a: Outcome, b: Outcome): boolean => {
  if (a.kind === 'config' && b.kind === 'config') return a.text === b.text;
  if (a.kind === 'server' && b.kind === 'server') {
    return JSON.stringify(a.server) === JSON.stringify(b.server);
  }
  return a.kind === 'absent' && b.kind === 'absent';
};
