import type { McpServer } from '@gateway/crd-schemas';
import type { ResourceProblem } from '../../port/resource-problem.ts';
import type { ConfigDocument } from '../../port/state.ts';
import type { InvalidWorkflow, ValidWorkflow } from '../../port/workflow-resource.ts';

/** The result of reading and validating a file. */
export type Outcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'config'; readonly config: ConfigDocument; readonly text: string }
  | { readonly kind: 'server'; readonly server: McpServer }
  | { readonly kind: 'workflow'; readonly workflow: ValidWorkflow }
  | {
      readonly kind: 'problems';
      readonly problems: readonly ResourceProblem[];
      /** The parts of an invalid workflow that can be shown. */
      readonly workflow?: InvalidWorkflow;
    };

const GOOD: Readonly<Record<Outcome['kind'], boolean>> = {
  absent: false,
  config: true,
  server: true,
  workflow: true,
  problems: false,
};

/** Returns whether the file is valid. */
export const isGood = ({ kind }: Outcome): boolean => GOOD[kind];

/** Returns whether two versions of a file have the same content, so that the older object may stay in use. */
export const isSameContent = (a: Outcome, b: Outcome): boolean => {
  if (a.kind === 'config' && b.kind === 'config') return a.text === b.text;
  if (a.kind === 'workflow' && b.kind === 'workflow') return a.workflow.text === b.workflow.text;
  if (a.kind === 'server' && b.kind === 'server') {
    return JSON.stringify(a.server) === JSON.stringify(b.server);
  }
  return a.kind === 'absent' && b.kind === 'absent';
};
