import { memberOf } from '../../resource/resource-identity.ts';
import { placesOf } from './places-of.ts';
import type { Workflow } from './workflow.ts';

const toolOf = (value: unknown): readonly string[] => {
  const tool = memberOf(value, 'tool');
  return typeof tool === 'string' && tool !== '' ? [tool] : [];
};

const sorted = (names: readonly string[]): readonly string[] =>
  Object.freeze([...new Set(names)].sort());

/**
 * Returns the tools that steps, sub-steps and handlers of a `spec` call, and on request their conditions; right or wrong,
 * sorted, each once.
 */
export const toolsNamedIn = (spec: unknown, withConditions: boolean): readonly string[] =>
  sorted(
    placesOf(spec).flatMap(({ value }) => [
      ...toolOf(value),
      ...(withConditions ? toolOf(memberOf(value, 'condition')) : []),
    ]),
  );

/**
 * Returns every tool of a workflow: of steps, conditions, sub-steps and handlers. Sorted, without duplicates. @spec §2.5, §2.7
 */
export const referencedToolsOf = ({ spec }: Workflow): readonly string[] =>
  toolsNamedIn(spec, true);

/** Returns the tools without which a workflow cannot run: those it names, without the tools of conditions. Sorted, without duplicates. @spec §2.7 */
export const requiredToolsOf = ({ spec }: Workflow): readonly string[] => toolsNamedIn(spec, false);
