import {
  isAdministrator,
  type Principal,
  type ServerFeatures,
  type ServerView,
} from '@gateway/call-contract';
import {
  buildCatalog,
  type CatalogSnapshot,
  type CatalogWarning,
  formatWarning,
  type ContestedNames,
  type CoreToolEntry,
  prepareSearch,
  type ServerInventory,
  createWarningFilter,
  type WorkflowToolEntry,
  listWorkflowEvents,
  formatWorkflowToolName,
} from '@gateway/catalog';
import type { WorkflowView } from '@gateway/core-tools';
import type { McpServerSpec, Workflow } from '@gateway/crd-schemas';
import type { Downstream } from '@gateway/downstream';
import type { EventSink } from '@gateway/events';
import type { WorkflowResource } from '@gateway/resource-store';
import { toExecutionTool } from '@gateway/workflow-engine';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

type Inventories = readonly ServerInventory[];

/** The content of all catalogs but the servers. */
interface UserCatalogSources {
  /** Returns the holders of the names that several servers of these inventories claim. */
  readonly contestedNamesIn: (inventories: Inventories) => ContestedNames;
  readonly workflows: () => readonly WorkflowToolEntry[];
  readonly coreTools: readonly CoreToolEntry[];
}

interface Built {
  /** The snapshot of all users when this one was built. */
  readonly shared: CatalogSnapshot;
  readonly snapshot: CatalogSnapshot;
}

/** Maximum number of snapshots that are kept. Principals who see the same lists share one. */
const MAX_SNAPSHOTS = 256;

/** The catalogs of principals who see more than everybody sees. */
export class UserCatalogs {
  readonly #sources: UserCatalogSources;
  /** By the identity of the inventories. */
  readonly #built = new LRUCache<Inventories, Built>({ max: MAX_SNAPSHOTS });

  constructor(sources: UserCatalogSources) {
    this.#sources = sources;
  }

  /**
   * Returns the catalog of these inventories.
   *
   * @param shared the catalog of what everybody sees
   */
  find(inventories: Inventories, shared: CatalogSnapshot): CatalogSnapshot {
    const known = this.#built.get(inventories);
    const snapshot =
      known?.shared === shared
        ? known.snapshot
        : this.#build(inventories, known?.snapshot ?? shared);
    this.#built.set(inventories, { shared, snapshot });
    return snapshot;
  }

  #build(inventories: Inventories, previous: CatalogSnapshot): CatalogSnapshot {
    const { contestedNamesIn, workflows, coreTools } = this.#sources;
    const contested = contestedNamesIn(inventories);
    const input = { servers: inventories, contested, workflows: workflows(), coreTools };
    return buildCatalog(input, previous);
  }
}

/** The content of the catalog. */
interface CatalogSources extends UserCatalogSources {
  readonly inventories: () => readonly ServerInventory[];
  /** The core tools in the catalogs of users who signed in and are no administrators. */
  readonly readerTools: readonly CoreToolEntry[];
  /** Returns the holders of the names that several servers claim, as of `inventories`. */
  readonly contestedNames: () => ContestedNames;
  /** Returns the inventories of a principal; `undefined` for one who sees `inventories` only. */
  readonly inventoriesFor: (principal: Principal) => readonly ServerInventory[] | undefined;
}

export interface CatalogOptions {
  /** Receives each warning of the catalog once. */
  readonly onWarning?: (warning: CatalogWarning, text: string) => void;
  /** Receives each snapshot of what everybody sees. */
  readonly onSnapshot?: (snapshot: CatalogSnapshot) => void;
}

/** Time without a change after which the search index is built: a start, or a burst of changes, needs one. A query does not wait for it. */
const INDEX_DELAY_MS = 500;

/** Receives the keys of the principals whose snapshots may have changed; `undefined` for all. */
type CatalogListener = (principalKeys?: ReadonlySet<string>) => void;

/** The current catalogs. */
export interface LiveCatalog {
  /** Returns the catalog of a principal: the same object while nothing changed, and for all who see the same. */
  readonly snapshot: (principal: Principal) => CatalogSnapshot;
  /** Returns the catalog of a principal with all core tools; the same object as `snapshot` for administrators. */
  readonly complete: (principal: Principal) => CatalogSnapshot;
  /** Returns the catalog of what everybody sees, with all core tools. */
  readonly shared: () => CatalogSnapshot;
  /**
   * Reports that the sources have changed. The next snapshot, which reuses the parts of servers that did not change, is built at the end of the turn of
   * the event loop, or when it is first read before that; the listeners are called at the end of the turn.
   */
  readonly refresh: () => void;
  /** Reports that the catalogs of single principals may have changed. */
  readonly usersChanged: (principalKeys: ReadonlySet<string>) => void;
  /** Calls the listener after each change of the snapshots of these principals, or of all. Returns a function that stops it. */
  readonly onChange: (listener: CatalogListener) => () => void;
}

type Build = (previous: CatalogSnapshot | undefined) => CatalogSnapshot;

/** The catalog of what everybody sees. While many servers connect, several of them change in one turn of the event loop. */
class SharedCatalog {
  readonly #build: Build;
  readonly #onChange: () => void;
  #current: CatalogSnapshot;
  /** The snapshot that the listeners know. */
  #known: CatalogSnapshot;
  #isStale = false;
  #settling: NodeJS.Immediate | undefined;

  constructor(build: Build, onChange: () => void) {
    this.#build = build;
    this.#onChange = onChange;
    this.#current = build(undefined);
    this.#known = this.#current;
  }

  latest(): CatalogSnapshot {
    if (this.#isStale) {
      this.#isStale = false;
      this.#current = this.#build(this.#current);
    }
    return this.#current;
  }

  refresh(): void {
    this.#isStale = true;
    this.#settling ??= setImmediate(() => this.#settle());
  }

  #settle(): void {
    this.#settling = undefined;
    if (this.latest() === this.#known) return;
    this.#known = this.#current;
    this.#onChange();
  }
}

/** Creates a catalog from the current content of its sources. */
export function createLiveCatalog(sources: CatalogSources, options: CatalogOptions): LiveCatalog {
  const listeners = new Set<CatalogListener>();
  const notify: CatalogListener = (principalKeys) => {
    for (const listener of [...listeners]) listener(principalKeys);
  };
  let indexing: NodeJS.Timeout | undefined;
  const index = (): void => {
    indexing?.refresh();
    indexing ??= setTimeout(() => {
      indexing = undefined;
      prepareSearch(shared.latest());
    }, INDEX_DELAY_MS).unref();
  };
  const shared = new SharedCatalog(createBuilder(sources, options), () => {
    notify();
    index();
  });
  const userCatalogs = new UserCatalogs(sources);
  const readerCatalogs = new UserCatalogs({ ...sources, coreTools: sources.readerTools });
  const complete = (principal: Principal): CatalogSnapshot => {
    const inventories = sources.inventoriesFor(principal);
    const latest = shared.latest();
    return inventories === undefined ? latest : userCatalogs.find(inventories, latest);
  };
  return {
    complete,
    snapshot: (principal) => {
      if (isAdministrator(principal)) return complete(principal);
      const inventories = sources.inventoriesFor(principal) ?? sources.inventories();
      return readerCatalogs.find(inventories, shared.latest());
    },
    shared: () => shared.latest(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    usersChanged: notify,
    refresh: () => shared.refresh(),
  };
}

function createBuilder(
  { inventories, contestedNames, workflows, coreTools }: CatalogSources,
  { onWarning, onSnapshot }: CatalogOptions,
): Build {
  const fresh = createWarningFilter();
  return (previous) => {
    const input = {
      servers: inventories(),
      contested: contestedNames(),
      workflows: workflows(),
      coreTools,
    };
    const next = buildCatalog(input, previous);
    if (onWarning !== undefined)
      for (const warning of fresh(next)) onWarning(warning, formatWarning(warning));
    if (next !== previous) onSnapshot?.(next);
    return next;
  };
}

/** Logs the warnings about workflows, once for each version of a workflow. @spec §2.7 */
export interface WorkflowWarnings {
  /** Logs a warning about a definition that a core tool received and may write next. */
  readonly warn: (text: string) => void;
  /** Logs the warnings about new versions in the store. */
  readonly follow: (
    now: readonly WorkflowResource[],
    previous: readonly WorkflowResource[],
  ) => void;
}

/** Maximum texts of core tools that are remembered until the store has the definition. */
const MAX_EARLY = 1000;

/** Creates the log of warnings. */
export function logWorkflowWarnings(logger: Logger): WorkflowWarnings {
  const early = new Set<string>();
  return {
    warn: (text) => {
      logger.warn(text);
      if (early.size >= MAX_EARLY) early.clear();
      early.add(text);
    },
    follow: (now, previous) => {
      const known = new Set(previous.map(findVersion));
      for (const one of now)
        if (one.valid && !known.has(one.workflow))
          for (const text of one.warnings) if (!early.delete(text)) logger.warn(text);
    },
  };
}

const findVersion = (one: WorkflowResource) => (one.valid ? one.workflow : undefined);

/** Publishes events about the workflows of the catalog. */
export interface WorkflowEventPublisher {
  /** Receives each snapshot of the catalog. */
  readonly update: (snapshot: CatalogSnapshot) => void;
  /** Starts publishing, from this snapshot on. Called when every server was tried: until then every workflow lacks tools. */
  readonly begin: (snapshot: CatalogSnapshot) => void;
}

/** Creates a publisher that publishes nothing before `begin`. */
export function createWorkflowEventPublisher(emit: EventSink): WorkflowEventPublisher {
  let latest: CatalogSnapshot | undefined;
  let published: CatalogSnapshot | undefined;
  let hasBegun = false;
  const publish = (): void => {
    if (!hasBegun || latest === undefined) return;
    for (const event of listWorkflowEvents(published, latest)) emit(event);
    published = latest;
  };
  return {
    update: (snapshot) => {
      latest = snapshot;
      publish();
    },
    begin: (snapshot) => {
      hasBegun = true;
      latest = snapshot;
      publish();
    },
  };
}

/** The current workflows, in the forms that the catalog, the core tools and calls use. */
export interface LiveWorkflows {
  /** Returns the execution tools of valid workflows; the same object for the same workflow. */
  readonly entries: () => readonly WorkflowToolEntry[];
  /** Returns all workflows, invalid ones included. */
  readonly views: () => readonly WorkflowView[];
  /** Returns the workflow of an execution tool, `workflow_<name>`. */
  readonly findByTool: (name: string) => Workflow | undefined;
  readonly update: (resources: readonly WorkflowResource[]) => void;
}

interface Workflows {
  readonly entries: readonly WorkflowToolEntry[];
  readonly views: readonly WorkflowView[];
  readonly byTool: ReadonlyMap<string, Workflow>;
}

/** Creates the current workflows from resources. Each version of a workflow is converted once. */
export function createLiveWorkflows(resources: readonly WorkflowResource[]): LiveWorkflows {
  const toEntry = memoizeByIdentity(toExecutionTool);
  const toView = memoizeByIdentity(toWorkflowView);
  const convert = (now: readonly WorkflowResource[]): Workflows => {
    const valid = now.flatMap((one) => (one.valid ? [one.workflow] : []));
    return {
      entries: valid.map(toEntry),
      views: now.map(toView),
      byTool: new Map(valid.map((one) => [formatWorkflowToolName(one.metadata.name), one])),
    };
  };
  let current = convert(resources);
  return {
    entries: () => current.entries,
    views: () => current.views,
    findByTool: (name) => current.byTool.get(name),
    update: (now) => {
      current = convert(now);
    },
  };
}

function toWorkflowView(resource: WorkflowResource): WorkflowView {
  const { name, status, createdAt, modifiedAt, text } = resource;
  const about = { name, status, createdAt, modifiedAt, text };
  if (!resource.valid) return { ...about, description: '', labels: {} };
  const { workflow } = resource;
  const { spec, metadata } = workflow;
  return { ...about, workflow, description: spec.description, labels: metadata.labels };
}

/** Returns a function that calls `make` once for each object. */
export function memoizeByIdentity<From extends object, Out extends object>(
  make: (from: From) => Out,
): (from: From) => Out {
  const known = new WeakMap<From, Out>();
  return (from) => {
    const made = known.get(from) ?? make(from);
    known.set(from, made);
    return made;
  };
}

/** Returns a function that derives a value from the source again only when the source returns another object. */
export function memoizeLatest<In extends object, Out>(
  source: () => In,
  derive: (from: In) => Out,
): () => Out {
  let latest: { readonly from: In; readonly derived: Out } | undefined;
  return () => {
    const from = source();
    if (latest?.from !== from) latest = { from, derived: derive(from) };
    return latest.derived;
  };
}

/** The servers and their optional features, read when servers change and not per request. */
export interface LiveServers {
  /** Returns the servers as everybody sees them; the same array while nothing changes. */
  readonly views: () => readonly ServerView[];
  /** Returns the definition of a server. */
  readonly findSpec: (server: string) => McpServerSpec | undefined;
  /** Returns the features that at least one connected server has; the same object while nothing changes. */
  readonly features: () => ServerFeatures;
  /** Returns whether a server supports completions. */
  readonly hasCompletions: (server: string) => boolean;
}

/** Follows the servers. */
export function followServers(downstream: Downstream): LiveServers {
  let views: readonly ServerView[] | undefined;
  let features: ReturnType<typeof readFeatures> | undefined;
  downstream.onChange((changedFor) => {
    if (changedFor === 'all') views = undefined;
    features = undefined;
  });
  const readViews = () => (views ??= downstream.servers());
  const specs = memoizeLatest(
    readViews,
    (all) => new Map(all.map(({ name, definition }) => [name, definition.spec])),
  );
  const currentFeatures = () => (features ??= readFeatures(readViews(), downstream.userFeatures()));
  return {
    views: readViews,
    findSpec: (server) => specs().get(server),
    features: () => currentFeatures().union,
    hasCompletions: (server) => currentFeatures().withCompletions.has(server),
  };
}

function readFeatures(
  views: readonly ServerView[],
  userFeatures: ReturnType<Downstream['userFeatures']>,
) {
  const shared = views.map(({ name, features }) => [name, features] as const);
  const known = [...shared, ...userFeatures];
  const some = (feature: keyof ServerFeatures): boolean =>
    known.some(([, features]) => features?.[feature] === true);
  const union: ServerFeatures = {
    completions: some('completions'),
    resourceSubscriptions: some('resourceSubscriptions'),
    logging: some('logging'),
  };
  const withCompletions = new Set(
    known.flatMap(([name, features]) => (features?.completions === true ? [name] : [])),
  );
  return { union, withCompletions };
}
