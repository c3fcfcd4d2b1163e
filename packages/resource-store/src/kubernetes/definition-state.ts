import { setImmediate as otherWork } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@gateway/crd-schemas';
import type { VersionedObject } from '@gateway/kube-client';
import { retainedWorkflow, sameList, sameProblems } from '../interpretation/compose-resources.ts';
import { KINDS } from './followed-definitions.ts';
import {
  contentOf,
  type InterpretedObject,
  interpretObject,
  type ObjectRules,
  sourceOf,
} from './interpret-object.ts';
import {
  byText,
  type ResourceKey,
  type ResourceKind,
  type ResourceProblem,
  type ResourceState,
  type WorkflowResource,
} from '../port/resources.ts';

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

/** The source of objects, and the receivers of their state. */
export interface DefinitionStateOptions extends ObjectRules {
  readonly objects: (kind: ResourceKind) => readonly VersionedObject[];
  readonly problems: () => readonly ResourceProblem[];
  /** Called when the content of an object has changed, before the listeners. Must not throw. */
  readonly onComposed: (composed: ComposedObjects, objects: readonly InterpretedObject[]) => void;
  /** Called after each pass. Must not throw. */
  readonly onPass: () => void;
  /** Called once for each unknown field of a version. Must not throw. */
  readonly onWarning: (line: string) => void;
}

/** The last version of an object and its result. */
interface Interpreted {
  readonly versioned: VersionedObject;
  readonly result: InterpretedObject;
}

type Listener = (state: ResourceState, previous: ResourceState) => void;

/** The time for which objects are validated without a pause for other work, in milliseconds. */
const MAX_BUSY_MS = 10;

/** Validates changed objects and publishes their state. Changes during a pass are in the next one. */
export class DefinitionState {
  readonly #options: DefinitionStateOptions;
  readonly #listeners = new Set<Listener>();
  #interpreted = new Map<string, Interpreted>();
  #problems: readonly ResourceProblem[] = [];
  #state: ResourceState = NO_RESOURCES;
  #isDirty = false;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: DefinitionStateOptions) {
    this.#options = options;
  }

  readonly current = (): ResourceState => this.#state;

  readonly subscribe = (listener: Listener): (() => void) => {
    // A new function, so that one listener can be subscribed twice.
    const own: Listener = (state, previous) => {
      listener(state, previous);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  /** Returns the generation of the definition that the listeners know. */
  readonly generationOf = (kind: ResourceKind, key: ResourceKey): number | undefined => {
    const known = this.#interpreted.get(`${kind}/${sourceOf(key)}`)?.versioned.object.metadata;
    return typeof known?.['generation'] === 'number' ? known['generation'] : undefined;
  };

  /** Schedules a pass. */
  readonly changed = (): void => {
    this.#isDirty = true;
    this.#running ??= this.#run();
  };

  /** Resolves when the state has every change until now and the listeners were called. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    await this.settled();
  }

  async #run(): Promise<void> {
    // Changes of one turn are one pass.
    await otherWork();
    while (this.#isDirty && !this.#isClosed) {
      this.#isDirty = false;
      const isChanged = await this.#interpretChanged();
      const problems = this.#options.problems();
      if (isChanged || !isDeepStrictEqual(problems, this.#problems)) this.#publish(problems);
      // Listeners may publish what follows from the change in a later turn.
      await otherWork();
      this.#options.onPass();
    }
    this.#running = undefined;
  }

  /** Returns whether the content of an object has changed. */
  async #interpretChanged(): Promise<boolean> {
    const next = new Map<string, Interpreted>();
    let isChanged = false;
    let busySince = performance.now();
    for (const kind of KINDS)
      for (const versioned of this.#options.objects(kind)) {
        const id = `${kind}/${sourceOf(versioned.object.metadata)}`;
        const before = this.#interpreted.get(id);
        const result = this.#interpret(kind, versioned, before);
        if (result !== before?.result) isChanged = true;
        next.set(id, { versioned, result });
        if (performance.now() - busySince < MAX_BUSY_MS) continue;
        await otherWork();
        busySince = performance.now();
      }
    if (next.size !== this.#interpreted.size) isChanged = true;
    this.#interpreted = next;
    return isChanged;
  }

  /** Returns the previous result for equal content. */
  #interpret(
    kind: ResourceKind,
    versioned: VersionedObject,
    before: Interpreted | undefined,
  ): InterpretedObject {
    if (before?.versioned === versioned) return before.result;
    if (before?.result.content === contentOf(versioned)) return before.result;
    const made = interpretObject(kind, versioned, { ...this.#options, now: Date.now() });
    if (made.outcome.kind === 'server') made.outcome.warnings.forEach(this.#options.onWarning);
    return made;
  }

  #publish(problems: readonly ResourceProblem[]): void {
    const previous = this.#state;
    const objects = [...this.#interpreted.values()].map(({ result }) => result);
    const composed = composeObjects(objects, problems, previous);
    this.#problems = problems;
    this.#state = composed.state;
    this.#options.onComposed(composed, objects);
    if (composed.state === previous || this.#isClosed) return;
    for (const listener of [...this.#listeners]) listener(composed.state, previous);
  }
}
