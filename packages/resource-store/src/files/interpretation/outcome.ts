import type { McpServer } from '@gateway/crd-schemas';
import type { ResourceProblem } from '../../port/resource-problem.ts';
import type { ConfigDocument } from '../../port/state.ts';
import type { InvalidWorkflow, ValidWorkflow } from '../../port/workflow-resource.ts';

/** What a file amounts to. */
export type Outcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'config'; readonly config: ConfigDocument; readonly text: string }
  | { readonly kind: 'server'; readonly server: McpServer }
  | { readonly kind: 'workflow'; readonly workflow: ValidWorkflow }
  | {
      readonly kind: 'problems';
      readonly problems: readonly ResourceProblem[];
      /** What there is to show of a workflow that cannot be used. */
      readonly workflow?: InvalidWorkflow;
    };

const GOOD: Readonly<Record<Outcome['kind'], boolean>> = {
  absent: false,
  config: true,
  server: true,
  workflow: true,
  problems: false,
};

/** Returns true when the file can be used as it is. */
export const isGood = ({ kind }: Outcome): boolean => GOOD[kind];

/** Returns true when two versions of a file say the same, so that the older one may stay in use. */
export const saysTheSame = (a: Outcome, b: Outcome): boolean => {
  if (a.kind === 'config' && b.kind === 'config') return a.text === b.text;
  if (a.kind === 'workflow' && b.kind === 'workflow') return a.workflow.text === b.workflow.text;
  if (a.kind === 'server' && b.kind === 'server') {
    return JSON.stringify(a.server) === JSON.stringify(b.server);
  }
  return a.kind === 'absent' && b.kind === 'absent';
};
