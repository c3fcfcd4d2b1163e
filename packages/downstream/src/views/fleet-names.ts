import type { ServerView, NameConflict, NameConflicts } from '@gateway/call-contract';
import {
  assignNames,
  type ContestedNames,
  type NameAssignment,
  type ServerInventory,
} from '@gateway/catalog';
import type { StatusCondition } from '@gateway/crd-schemas';
import type { Fleet } from '../connections/fleet.ts';
import type { Supervisor } from '../connections/supervisor.ts';
import type { ServerViews } from './server-view.ts';

interface ServerConflicts {
  readonly conflicts: NameConflicts;
  readonly since: number;
}

const MAX_SHOWN = 3;

const conflictText = ({ kind, name, heldBy }: NameConflict): string =>
  `${kind} ${name} (held by ${heldBy})`;

/** Returns the condition of a server whose tools or prompts are not served, because other servers have their names. */
const nameCondition = ({ total, first }: NameConflicts, since: number): StatusCondition => {
  const shown = first.slice(0, MAX_SHOWN).map(conflictText);
  const more = total > shown.length ? [`and ${total - shown.length} more`] : [];
  return {
    type: 'NamesAccepted',
    status: 'False',
    reason: 'NameConflict',
    message: `Not served: ${[...shown, ...more].join(', ')}. Set another toolPrefix.`,
    lastTransitionTime: new Date(since).toISOString(),
  };
};

const toNaming = ({ definition: { metadata, spec } }: Supervisor) => ({
  name: metadata.name,
  ...(spec.toolPrefix === undefined ? {} : { toolPrefix: spec.toolPrefix }),
  ...(spec.family === undefined ? {} : { family: spec.family }),
});

const withConflicts = (view: ServerView, { conflicts, since }: ServerConflicts): ServerView => ({
  ...view,
  nameConflicts: conflicts,
  status: {
    ...view.status,
    conditions: [...view.status.conditions, nameCondition(conflicts, since)],
  },
});

/** Returns a function that collects inventories; the same array while all of them are unchanged. */
const createInventoryList = (
  fleet: Pick<Fleet, 'all'>,
  toInventory: (supervisor: Supervisor) => ServerInventory | undefined,
): (() => readonly ServerInventory[]) => {
  let last: readonly ServerInventory[] = [];
  return () => {
    const next = fleet.all().flatMap((supervisor) => toInventory(supervisor) ?? []);
    const same = next.length === last.length && next.every((one, index) => one === last[index]);
    if (!same) last = next;
    return last;
  };
};

export class FleetNames {
  /** Returns the inventories of the connected servers, sorted by name; the same array while they are unchanged. */
  readonly inventories: () => readonly ServerInventory[];
  /** Returns the last inventories of the servers that are not connected, sorted by name; the same array while they are unchanged. */
  readonly lastInventories: () => readonly ServerInventory[];
  readonly #fleet: Pick<Fleet, 'all'>;
  readonly #wallNow: () => number;
  #assignment: NameAssignment = assignNames({ servers: [], defined: [] });
  #sources: { readonly servers: unknown; readonly supervisors: unknown } | undefined;
  #conflicts: ReadonlyMap<string, ServerConflicts> = new Map();
  /** The views with conflicts, by the views without. */
  #views = new WeakMap<ServerView, ServerView>();
  /** The contested names of other lists of inventories, with the assignment that they were made with. */
  #others = new WeakMap<readonly ServerInventory[], NameAssignment>();
  #settling: Promise<void> | undefined;
  #isSettled = false;

  readonly #serverViews: ServerViews;

  constructor(fleet: Pick<Fleet, 'all'>, serverViews: ServerViews, wallNow: () => number) {
    this.#fleet = fleet;
    this.#serverViews = serverViews;
    this.#wallNow = wallNow;
    this.inventories = createInventoryList(fleet, ({ inventory }) => inventory);
    this.lastInventories = createInventoryList(fleet, ({ connection, lastInventory }) =>
      connection === undefined ? lastInventory : undefined,
    );
  }

  update(): void {
    const [servers, supervisors] = [this.inventories(), this.#fleet.all()];
    if (this.#sources?.servers === servers && this.#sources.supervisors === supervisors) return;
    this.#sources = { servers, supervisors };
    const sources = { servers, defined: supervisors.map(toNaming) };
    this.#assignment = assignNames(sources, this.#isSettled ? this.#assignment : undefined);
    this.#others = new WeakMap();
    const at = this.#wallNow();
    const known = this.#conflicts;
    this.#conflicts = new Map(
      [...this.#assignment.conflicts].map(([name, conflicts]) => [
        name,
        { conflicts, since: known.get(name)?.since ?? at },
      ]),
    );
    this.#views = new WeakMap();
  }

  /** Lets the holder of a name keep it once `settled` resolves. Until then the order of server names decides, not that in which servers connect. */
  settleAfter(settled: () => Promise<void>): void {
    this.#settling ??= settled().then(() => {
      this.update();
      this.#isSettled = true;
    });
  }

  contested(): ContestedNames {
    this.update();
    return this.#assignment.contested;
  }

  /** Returns the names that several servers of a user claim. The holders of the shared inventories keep their names. */
  contestedIn(servers: readonly ServerInventory[]): ContestedNames {
    this.update();
    const known = this.#others.get(servers);
    if (known !== undefined) return known.contested;
    const defined = this.#fleet.all().map(toNaming);
    const assignment = assignNames({ servers, defined }, this.#assignment);
    this.#others.set(servers, assignment);
    return assignment.contested;
  }

  views(): readonly ServerView[] {
    this.update();
    return this.#fleet.all().map((supervisor) => this.#shown(this.#serverViews.view(supervisor)));
  }

  #shown(view: ServerView): ServerView {
    const conflicts = this.#conflicts.get(view.name);
    if (conflicts === undefined) return view;
    const shown = this.#views.get(view) ?? withConflicts(view, conflicts);
    this.#views.set(view, shown);
    return shown;
  }
}
