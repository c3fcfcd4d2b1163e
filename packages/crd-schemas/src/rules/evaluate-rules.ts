import { isMapping } from '../fields/is-mapping.ts';
import { MAX_ALL_STEPS } from '../resource/limits.ts';
import { memberOf } from '../resource/resource-identity.ts';
import type { ValidationIssue } from '../resource/validation-issue.ts';
import { ITEMS, type CelRule, type ResourceKind } from './cel-rule.ts';
import { celRulesOf } from './cel-rules-of.ts';
import { compiledRule, type CompiledRule } from './compiled-rule.ts';

/** The rules of one place and the places below it, in the order of the rules. */
interface RulePlace {
  readonly rules: CompiledRule[];
  readonly below: Map<string, RulePlace>;
}

/** A walk through a document. `path` is where it is. */
interface Walk {
  readonly path: (string | number)[];
  readonly issues: ValidationIssue[];
  /** The number of values that may still be evaluated. */
  left: number;
}

/** The spec, and a step and its condition for each step that a workflow may have. */
const MAX_VALUES = 1 + 2 * MAX_ALL_STEPS;

const emptyPlace = (): RulePlace => ({ rules: [], below: new Map() });

const placesOfRules = (rules: readonly CelRule[]): RulePlace => {
  const root = emptyPlace();
  for (const rule of rules) {
    let place = root;
    for (const segment of rule.path) {
      const next = place.below.get(segment) ?? emptyPlace();
      place.below.set(segment, next);
      place = next;
    }
    place.rules.push(compiledRule(rule));
  }
  return root;
};

const known = new Map<ResourceKind, RulePlace>();

/** Compiled when a kind is first evaluated, and cached. */
const rulesOf = (kind: ResourceKind): RulePlace => {
  const root = known.get(kind) ?? placesOfRules(celRulesOf(kind));
  known.set(kind, root);
  return root;
};

const ask = (rules: readonly CompiledRule[], value: unknown, walk: Walk): void => {
  if (rules.length === 0 || walk.left === 0 || !isMapping(value)) return;
  walk.left -= 1;
  for (const { holds, fieldPath, message } of rules) {
    if (!holds(value)) walk.issues.push({ path: [...walk.path, ...fieldPath], message });
  }
};

const visit = (place: RulePlace, value: unknown, walk: Walk): void => {
  ask(place.rules, value, walk);
  for (const [segment, below] of place.below) {
    if (segment !== ITEMS) visitAt(segment, below, memberOf(value, segment), walk);
    else if (Array.isArray(value)) visitItems(below, value, walk);
  }
};

/** Items without rules cost as much as the others: a list may be long or sparse. */
function visitItems(place: RulePlace, items: readonly unknown[], walk: Walk): void {
  for (const [index, item] of items.entries()) {
    if (walk.left === 0) return;
    if (!isMapping(item)) walk.left -= 1;
    visitAt(index, place, item, walk);
  }
}

function visitAt(segment: string | number, place: RulePlace, value: unknown, walk: Walk): void {
  if (value === undefined || walk.left === 0) return;
  walk.path.push(segment);
  visit(place, value, walk);
  walk.path.pop();
}

/**
 * Returns the rules between fields that a `spec` breaks, in the order of the document; empty when it satisfies all. The `spec`
 * may be invalid in any other respect, which is not reported here. Visits no more values than a valid document has, and never
 * throws for plain data.
 *
 * @spec §2.6, §2.7, §7.6
 */
export const evaluateRules = (kind: ResourceKind, spec: unknown): readonly ValidationIssue[] => {
  const walk: Walk = { path: [], issues: [], left: MAX_VALUES };
  visit(rulesOf(kind), { spec }, walk);
  return walk.issues;
};
