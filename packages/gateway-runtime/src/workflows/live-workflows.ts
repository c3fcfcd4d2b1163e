import {
  type CatalogSnapshot,
  listWorkflowEvents,
  type WorkflowToolEntry,
  formatWorkflowToolName,
} from '@gateway/catalog';
import type { WorkflowView } from '@gateway/core-tools';
import type { Workflow } from '@gateway/crd-schemas';
import type { WorkflowResource } from '@gateway/resource-store';
import { toExecutionTool } from '@gateway/workflow-engine';
import type { Logger } from 'pino';
import type { EventSink } from '@gateway/events';

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
  readonly ofTool: (name: string) => Workflow | undefined;
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
  const toView = memoizeByIdentity(workflowView);
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
    ofTool: (name) => current.byTool.get(name),
    update: (now) => {
      current = convert(now);
    },
  };
}

function workflowView(resource: WorkflowResource): WorkflowView {
  const { name, status, createdAt, modifiedAt, text } = resource;
  const about = { name, status, createdAt, modifiedAt, text };
  if (!resource.valid) return { ...about, description: '', labels: {} };
  const { workflow } = resource;
  const { spec, metadata } = workflow;
  return { ...about, workflow, description: spec.description, labels: metadata.labels };
}

/** Returns a function that calls `make` once for each object. */
function memoizeByIdentity<From extends object, Out extends object>(
  make: (from: From) => Out,
): (from: From) => Out {
  const known = new WeakMap<From, Out>();
  return (from) => {
    const made = known.get(from) ?? make(from);
    known.set(from, made);
    return made;
  };
}
