import type { McpServer } from '@gateway/crd-schemas';
import { retainedWorkflow } from '../interpretation/retained-workflow.ts';
import { sameList, sameProblems } from '../interpretation/same-parts.ts';
import { byText } from '../port/by-text.ts';
import type { ResourceProblem } from '../port/resource-problem.ts';
import type { ResourceState } from '../port/state.ts';
import type { WorkflowResource } from '../port/workflow-resource.ts';
import { sourceOf, type InterpretedObject } from './interpret-object.ts';

/** The state of the objects, and those that are not used because another object has their name. */
export interface ComposedObjects {
  readonly state: ResourceState;
  readonly nameTaken: ReadonlyMap<InterpretedObject, string>;
}

/** A state without resources. */
export const NO_RESOURCES: ResourceState = { servers: [], workflows: [], problems: [] };

const isUsable = ({ outcome }: InterpretedObject): boolean => outcome.kind !== 'refused';

/** Orders objects of one name: the oldest has the name. */
const byAge = (a: InterpretedObject, b: InterpretedObject): number =>
  a.createdAt - b.createdAt || byText(a.key.namespace, b.key.namespace);

/**
 * Returns the objects that share their name with an older one in another namespace, and the reason. A refused object keeps its name:
 * otherwise a mistake in it would hand its callers to an object of another namespace. It has a reason of its own.
 */
const takenNames = (
  objects: readonly InterpretedObject[],
): ReadonlyMap<InterpretedObject, string> => {
  const holders = new Map<string, InterpretedObject>();
  const taken = new Map<InterpretedObject, string>();
  for (const object of objects.toSorted(byAge)) {
    const id = `${object.kind}/${object.key.name}`;
    const holder = holders.get(id);
    if (holder === undefined) holders.set(id, object);
    else if (isUsable(object))
      taken.set(
        object,
        `metadata.name: ${sourceOf(holder.key)} is older and has the same name; names are unique in all namespaces of a gateway`,
      );
  }
  return taken;
};

const serversOf = (used: readonly InterpretedObject[]): readonly McpServer[] =>
  used
    .flatMap(({ outcome }) => (outcome.kind === 'server' ? [outcome.server] : []))
    .toSorted((a, b) => byText(a.metadata.name, b.metadata.name));

const workflowsOf = (
  used: readonly InterpretedObject[],
  previous: readonly WorkflowResource[],
): readonly WorkflowResource[] => {
  const known = new Map(previous.map((workflow) => [workflow.name, workflow]));
  return used
    .flatMap(({ outcome }) =>
      outcome.kind === 'workflow'
        ? [retainedWorkflow(known.get(outcome.workflow.name), outcome.workflow)]
        : [],
    )
    .toSorted((a, b) => byText(a.name, b.name));
};

const problemsOf = ({ outcome }: InterpretedObject): readonly ResourceProblem[] => {
  if (outcome.kind === 'refused') return outcome.problems;
  return outcome.kind === 'workflow' && !outcome.workflow.valid ? outcome.workflow.problems : [];
};

/**
 * Composes the state from the objects of the API. Pure. Equal parts keep their identity from `previous`, and an equal state is `previous`
 * itself. Of several objects with one name, the oldest is used.
 */
export const composeObjects = (
  objects: readonly InterpretedObject[],
  apiProblems: readonly ResourceProblem[],
  previous: ResourceState,
): ComposedObjects => {
  const nameTaken = takenNames(objects);
  const used = objects.filter((object) => !nameTaken.has(object));
  const problems = [
    ...apiProblems,
    ...used.flatMap(problemsOf),
    ...[...nameTaken].map(([{ kind, key }, message]) => ({
      ...{ source: sourceOf(key), kind, name: key.name, message },
    })),
  ];
  const next: ResourceState = {
    servers: sameList(previous.servers, serversOf(used)),
    workflows: sameList(previous.workflows, workflowsOf(used, previous.workflows)),
    problems: sameProblems(previous.problems, problems),
  };
  const isSame =
    next.servers === previous.servers &&
    next.workflows === previous.workflows &&
    next.problems === previous.problems;
  return { state: isSame ? previous : next, nameTaken };
};
