import { workflowToolName, type WorkflowToolEntry } from '@gateway/catalog';
import type { WorkflowView } from '@gateway/core-tools';
import type { Workflow } from '@gateway/crd-schemas';
import type { WorkflowResource } from '@gateway/resource-store';
import { executionToolOf } from '@gateway/workflow-engine';

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
  const entryOf = memoizeByIdentity(executionToolOf);
  const viewOf = memoizeByIdentity(workflowView);
  const convert = (now: readonly WorkflowResource[]): Workflows => {
    const valid = now.flatMap((one) => (one.valid ? [one.workflow] : []));
    return {
      entries: valid.map(entryOf),
      views: now.map(viewOf),
      byTool: new Map(valid.map((one) => [workflowToolName(one.metadata.name), one])),
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
