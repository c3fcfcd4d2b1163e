import type { McpServer, ResourceKind } from '@gateway/crd-schemas';
import type { VersionedObject } from '@gateway/kube-client';
import { setImmediate as otherWork } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { composeResources } from '../interpretation/interpret-resources.ts';
import { type FollowedDefinitions, KINDS } from './followed-definitions.ts';
import {
  computeContentKey,
  type InterpretedObject,
  interpretObject,
  type ObjectRules,
  formatObjectSource,
  STDIO_REFUSAL,
} from './interpret-object.ts';
import { ObservableState } from '../port/resource-store.ts';
import type { StatusReference } from '../port/resource-store.ts';
import { compareTexts, type ResourceProblem, type ResourceState } from '../port/resources.ts';

/** The state of the objects, and those that are not used because another object has their name. */
export interface ComposedObjects {
  readonly state: ResourceState;
  readonly nameTaken: ReadonlyMap<InterpretedObject, string>;
}

const NO_RESOURCES: ResourceState = { servers: [], workflows: [], problems: [] };

const isUsable = ({ outcome }: InterpretedObject): boolean => outcome.kind !== 'refused';

/** Orders objects of one name: the oldest has the name. */
const compareAge = (a: InterpretedObject, b: InterpretedObject): number =>
  a.createdAt - b.createdAt || compareTexts(a.key.namespace, b.key.namespace);

/**
 * Returns the objects that share their name with an older one in another namespace, and the reason. A refused object keeps its name:
 * otherwise a mistake in it would hand its callers to an object of another namespace. It has a reason of its own.
 */
const listNameConflicts = (
  objects: readonly InterpretedObject[],
): ReadonlyMap<InterpretedObject, string> => {
  const holders = new Map<string, InterpretedObject>();
  const taken = new Map<InterpretedObject, string>();
  for (const object of objects.toSorted(compareAge)) {
    const id = `${object.kind}/${object.key.name}`;
    const holder = holders.get(id);
    if (holder === undefined) holders.set(id, object);
    else if (isUsable(object))
      taken.set(
        object,
        `metadata.name: ${formatObjectSource(holder.key)} is older and has the same name; names are unique in all namespaces of a gateway`,
      );
  }
  return taken;
};

const listProblems = ({ outcome }: InterpretedObject): readonly ResourceProblem[] => {
  if (outcome.kind === 'refused') return outcome.problems;
  return outcome.kind === 'workflow' && !outcome.workflow.valid ? outcome.workflow.problems : [];
};

/**
 * Composes the state from the objects of the API, as {@link composeResources} does. Of several objects with one name, the oldest is used.
 */
const composeObjects = (
  objects: readonly InterpretedObject[],
  apiProblems: readonly ResourceProblem[],
  previous: ResourceState,
): ComposedObjects => {
  const nameTaken = listNameConflicts(objects);
  const used = objects.filter((object) => !nameTaken.has(object));
  const problems = [
    ...apiProblems,
    ...used.flatMap(listProblems),
    ...[...nameTaken].map(([{ kind, key }, message]) => ({
      source: formatObjectSource(key),
      kind,
      name: key.name,
      message,
    })),
  ];
  const resources = {
    servers: used.flatMap(({ outcome }) => (outcome.kind === 'server' ? [outcome.server] : [])),
    workflows: used.flatMap(({ outcome }) =>
      outcome.kind === 'workflow' ? [outcome.workflow] : [],
    ),
    problems,
  };
  return { state: composeResources(resources, previous), nameTaken };
};

/** The receivers of a state. The functions must not throw. */
export interface StateReceivers {
  /** Called when the content of an object has changed, before the listeners. */
  readonly onComposed: (composed: ComposedObjects, objects: readonly InterpretedObject[]) => void;
  readonly onPass: () => void;
  /** Called once for each unknown field of a version. */
  readonly onWarning: (line: string) => void;
}

/** The last version of an object and its result. */
interface Interpreted {
  readonly versioned: VersionedObject;
  readonly result: InterpretedObject;
}

/** The time for which objects are validated without a pause for other work, in milliseconds. */
const MAX_BUSY_MS = 10;

/** Validates changed objects and publishes their state. Changes during a pass are in the next one. */
export class DefinitionState {
  readonly #followed: FollowedDefinitions;
  readonly #rules: ObjectRules;
  readonly #receivers: StateReceivers;
  readonly state = new ObservableState(NO_RESOURCES);
  #interpreted = new Map<string, Interpreted>();
  #problems: readonly ResourceProblem[] = [];
  #isDirty = false;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(followed: FollowedDefinitions, rules: ObjectRules, receivers: StateReceivers) {
    this.#followed = followed;
    this.#rules = rules;
    this.#receivers = receivers;
  }

  /** Returns the generation of the definition that the listeners know. */
  findGeneration({ kind, ...key }: StatusReference): number | undefined {
    const known = this.#interpreted.get(`${kind}/${formatObjectSource(key)}`)?.versioned.object
      .metadata;
    return typeof known?.['generation'] === 'number' ? known['generation'] : undefined;
  }

  /** Schedules a pass. */
  readonly schedule = (): void => {
    this.#isDirty = true;
    this.#running ??= this.#run();
  };

  /** Resolves when the state has every change until now and the listeners were called. */
  async settle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.state.close();
    await this.settle();
  }

  async #run(): Promise<void> {
    // Changes of one turn are one pass.
    await otherWork();
    while (this.#isDirty && !this.#isClosed) {
      this.#isDirty = false;
      const isChanged = await this.#interpretChanged();
      const problems = this.#followed.problems();
      if (isChanged || !isDeepStrictEqual(problems, this.#problems)) this.#publish(problems);
      // Listeners may publish what follows from the change in a later turn.
      await otherWork();
      this.#receivers.onPass();
    }
    this.#running = undefined;
  }

  /** Returns whether the content of an object has changed. */
  async #interpretChanged(): Promise<boolean> {
    const next = new Map<string, Interpreted>();
    let isChanged = false;
    let busySince = performance.now();
    for (const kind of KINDS)
      for (const versioned of this.#followed.objects(kind)) {
        const id = `${kind}/${formatObjectSource(versioned.object.metadata)}`;
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
    if (before?.result.content === computeContentKey(versioned)) return before.result;
    const made = interpretObject(kind, versioned, { ...this.#rules, now: Date.now() });
    if (made.outcome.kind === 'server') made.outcome.warnings.forEach(this.#receivers.onWarning);
    return made;
  }

  #publish(problems: readonly ResourceProblem[]): void {
    const objects = [...this.#interpreted.values()].map(({ result }) => result);
    const composed = composeObjects(objects, problems, this.state.current());
    this.#problems = problems;
    this.#receivers.onComposed(composed, objects);
    this.state.set(composed.state);
  }
}

/** An object that a store with the same rules does not use. */
export interface RefusedObject {
  readonly kind: ResourceKind;
  /** `namespace/name`. */
  readonly source: string;
  readonly reason: 'invalid' | 'stdio' | 'name-taken';
  readonly message: string;
}

/** A valid server of a cluster. */
export interface InspectedServer {
  /** `namespace/name`. */
  readonly source: string;
  readonly server: McpServer;
  /** As gateways have written it. */
  readonly status: unknown;
}

/** The objects of a cluster as a store sees them. */
export interface InspectedObjects {
  readonly servers: readonly InspectedServer[];
  readonly refused: readonly RefusedObject[];
}

/** Interprets the definitions of a cluster as a store with these rules does. Pure. */
export const inspectObjects = (
  objects: readonly { readonly kind: ResourceKind; readonly versioned: VersionedObject }[],
  rules: ObjectRules,
): InspectedObjects => {
  const now = Date.now();
  const read = objects
    .filter(({ versioned }) => versioned.object.metadata.deletionTimestamp === undefined)
    .map(({ kind, versioned }) => ({
      status: versioned.object.status,
      interpreted: interpretObject(kind, versioned, { ...rules, now }),
    }));
  const { state, nameTaken } = composeObjects(
    read.map(({ interpreted }) => interpreted),
    [],
    NO_RESOURCES,
  );
  const taken = new Set(
    [...nameTaken.keys()].map(({ kind, key }) => `${kind}/${formatObjectSource(key)}`),
  );
  const refused = state.problems.flatMap(({ kind, source, message }): RefusedObject[] => {
    if (kind === 'Configuration') return [];
    const reason = taken.has(`${kind}/${source}`) ? 'name-taken' : 'invalid';
    return [{ kind, source, message, reason: message === STDIO_REFUSAL ? 'stdio' : reason }];
  });
  return {
    refused,
    servers: read.flatMap(({ status, interpreted: { key, outcome } }) =>
      outcome.kind === 'server'
        ? [{ source: formatObjectSource(key), server: outcome.server, status }]
        : [],
    ),
  };
};
