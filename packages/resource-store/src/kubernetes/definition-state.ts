import type { VersionedObject } from '@gateway/kube-client';
import { setImmediate as otherWork } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ResourceKey, ResourceKind } from '../port/resource-key.ts';
import type { ResourceProblem } from '../port/resource-problem.ts';
import type { ResourceState } from '../port/state.ts';
import { composeObjects, NO_RESOURCES, type ComposedObjects } from './compose-objects.ts';
import { KINDS } from './definition-kinds.ts';
import {
  contentOf,
  interpretObject,
  sourceOf,
  type InterpretedObject,
  type ObjectRules,
} from './interpret-object.ts';

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
