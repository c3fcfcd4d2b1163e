import type { GatewayEvent } from '@gateway/events';
import {
  type CatalogTool,
  type CoreToolEntry,
  readToolHints,
  formatToolSummary,
  type ToolAnnotations,
  type WorkflowToolEntry,
  formatWorkflowToolName,
} from './catalog-tool.ts';
import { groupBy } from './comparisons.ts';
import type { CatalogSnapshot } from './snapshot.ts';

const READ_ONLY: ToolAnnotations = { readOnlyHint: true };

/** Returns the declared hints with the derived read-only hint, which is `true` or absent. */
function computeWorkflowHints(
  { annotations, referencedTools }: WorkflowToolEntry,
  isReadOnly: boolean,
): ToolAnnotations | undefined {
  if (referencedTools === undefined) return readToolHints(annotations);
  const { readOnlyHint: _declared, ...others } = annotations ?? {};
  return readToolHints(isReadOnly ? { ...others, ...READ_ONLY } : others);
}

/**
 * Creates the entry of a workflow's execution tool, without its position in the catalog.
 *
 * @param isReadOnly whether every tool that the workflow references is read-only
 * @spec §1.3, §1.4, §2.5
 */
export function createWorkflowTool(workflow: WorkflowToolEntry, isReadOnly: boolean): CatalogTool {
  const { name, description, inputSchema, labels, requiredTools } = workflow;
  const annotations = computeWorkflowHints(workflow, isReadOnly);
  return {
    name: formatWorkflowToolName(name),
    kind: 'workflow',
    position: -1,
    description,
    summary: formatToolSummary(description),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    ...(labels !== undefined && { labels }),
    providers: [],
    ...(requiredTools !== undefined && { requiredTools }),
  };
}

/** The entry of one of the gateway's own tools; the place in the catalog is given later. @spec §1.3 */
export function createCoreTool(core: CoreToolEntry): CatalogTool {
  const { name, description, inputSchema } = core;
  const annotations = readToolHints(core.annotations);
  return {
    name,
    kind: 'core',
    position: -1,
    description,
    summary: formatToolSummary(description),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    providers: [],
  };
}

/** A workflow and what its answer still waits for. */
interface Waiting {
  readonly entry: WorkflowToolEntry;
  /** References that are not known to be read-only yet. */
  open: number;
  /** The workflows that wait for this one, once for each reference. */
  readonly callers: Waiting[];
}

/** Returns one workflow per exposed name: the first is served. */
function groupWorkflows(workflows: readonly WorkflowToolEntry[]): ReadonlyMap<string, Waiting> {
  const byTool = new Map<string, Waiting>();
  for (const entry of workflows) {
    const tool = formatWorkflowToolName(entry.name);
    if (!byTool.has(tool)) byTool.set(tool, { entry, open: 0, callers: [] });
  }
  return byTool;
}

/** Counts the references that are not known to be read-only: nested workflows can become so, other tools cannot. */
function openReferences(
  workflow: Waiting,
  byTool: ReadonlyMap<string, Waiting>,
  isReadOnly: (tool: string) => boolean,
): number {
  const { referencedTools, annotations } = workflow.entry;
  if (referencedTools === undefined) return annotations?.readOnlyHint === true ? 0 : 1;
  let open = 0;
  for (const tool of referencedTools) {
    const nested = byTool.get(tool);
    if (nested !== undefined) nested.callers.push(workflow);
    if (nested !== undefined || !isReadOnly(tool)) open += 1;
  }
  return open;
}

/**
 * Returns the workflows whose references are all read-only. Annotations decide for a workflow whose references are not listed.
 *
 * A workflow is added when all of its references are known to be read-only. A workflow that references itself, an unknown tool or a
 * writing tool is never added. The algorithm is iterative, so that the depth of nesting is not limited by the stack.
 *
 * @param isReadOnly returns whether a tool that is not a workflow is annotated read-only
 * @spec §2.5
 */
export function readOnlyWorkflows(
  workflows: readonly WorkflowToolEntry[],
  isReadOnly: (tool: string) => boolean,
): ReadonlySet<WorkflowToolEntry> {
  const byTool = groupWorkflows(workflows);
  const shown: Waiting[] = [];
  for (const workflow of byTool.values()) {
    workflow.open = openReferences(workflow, byTool, isReadOnly);
    if (workflow.open === 0) shown.push(workflow);
  }
  // The list grows while it is walked.
  for (const { callers } of shown) {
    for (const caller of callers) {
      caller.open -= 1;
      if (caller.open === 0) shown.push(caller);
    }
  }
  return new Set(shown.map(({ entry }) => entry));
}

export interface WorkflowAvailability {
  readonly available: boolean;
  /**
   * The required tools that the catalog does not have, and the nested workflows that are not available themselves, by exposed name,
   * in the order of the workflow's list. For a workflow that does not exist, its own tool.
   */
  readonly missing: readonly string[];
}

const AVAILABLE: WorkflowAvailability = { available: true, missing: [] };

/** The gateway's own tools are always there. */
const isThere = (snapshot: CatalogSnapshot, tool: string): boolean =>
  tool.startsWith('core_') || snapshot.tool(tool) !== undefined;

const readRequirements = ({ requiredTools = [] }: CatalogTool): readonly string[] => requiredTools;

/** The exposed names of the workflows that lack a tool, or need one that does. */
function listUnavailableWorkflows(
  snapshot: CatalogSnapshot,
  workflows: readonly CatalogTool[],
): ReadonlySet<string> {
  const callersOf = groupBy(workflows, readRequirements);
  const lacking = workflows.filter((one) =>
    readRequirements(one).some((tool) => !isThere(snapshot, tool)),
  );
  const unavailable = new Set(lacking.map(({ name }) => name));
  // The set grows while it is walked. A cycle in itself takes nothing away.
  for (const name of unavailable) {
    for (const caller of callersOf.get(name) ?? []) unavailable.add(caller.name);
  }
  return unavailable;
}

function computeAvailabilities(
  snapshot: CatalogSnapshot,
): ReadonlyMap<string, WorkflowAvailability> {
  const workflows = snapshot.tools.filter(({ kind }) => kind === 'workflow');
  const unavailable = listUnavailableWorkflows(snapshot, workflows);
  const availabilityOf = (workflow: CatalogTool): WorkflowAvailability =>
    unavailable.has(workflow.name)
      ? {
          available: false,
          missing: readRequirements(workflow).filter(
            (tool) => unavailable.has(tool) || !isThere(snapshot, tool),
          ),
        }
      : AVAILABLE;
  return new Map(workflows.map((workflow) => [workflow.name, availabilityOf(workflow)]));
}

const known = new WeakMap<CatalogSnapshot, ReadonlyMap<string, WorkflowAvailability>>();

/** The availability of every workflow, by the exposed name of its tool. Found out once for each snapshot. */
function getAvailabilities(snapshot: CatalogSnapshot): ReadonlyMap<string, WorkflowAvailability> {
  const all = known.get(snapshot) ?? computeAvailabilities(snapshot);
  known.set(snapshot, all);
  return all;
}

/**
 * Returns whether every tool that the steps, sub-steps and handlers of a workflow require is in the catalog, including those of
 * nested workflows. Computed for all workflows at the first request and cached with the snapshot.
 *
 * @param workflow the workflow's own name
 * @spec §2.7 status.referencedTools
 */
export function findWorkflowAvailability(
  snapshot: CatalogSnapshot,
  workflow: string,
): WorkflowAvailability {
  const tool = formatWorkflowToolName(workflow);
  return getAvailabilities(snapshot).get(tool) ?? { available: false, missing: [tool] };
}

type Availabilities = ReadonlyMap<string, WorkflowAvailability>;

const NONE: Availabilities = new Map();

const PREFIX_CHARS = formatWorkflowToolName('').length;

/** Fewer missing tools than before are no news: the workflow is as unavailable as it was. */
function hasNewGaps(before: WorkflowAvailability, after: WorkflowAvailability): boolean {
  const known = new Set(before.missing);
  return after.missing.some((tool) => !known.has(tool));
}

function listChangeEvents(
  name: string,
  before: WorkflowAvailability,
  after: WorkflowAvailability,
): readonly GatewayEvent[] {
  const { missing } = after;
  if (!after.available) {
    return hasNewGaps(before, after) ? [{ reason: 'WorkflowUnavailable', name, missing }] : [];
  }
  return before.available ? [] : [{ reason: 'WorkflowCapabilitiesRefreshed', name }];
}

function listEvents(before: Availabilities, after: Availabilities): readonly GatewayEvent[] {
  return [...after].flatMap(([tool, availability]) => {
    const known = before.get(tool);
    const name = tool.slice(PREFIX_CHARS);
    const change = listChangeEvents(name, known ?? AVAILABLE, availability);
    return known === undefined ? [{ reason: 'WorkflowToolRegistered', name }, ...change] : change;
  });
}

/**
 * Returns the events of workflows between two catalogs: registered tools, workflows that became unavailable or available. Without
 * `before`, after the first attempt to start each server, only unavailable workflows. @spec §2.7
 */
export function listWorkflowEvents(
  before: CatalogSnapshot | undefined,
  after: CatalogSnapshot,
): readonly GatewayEvent[] {
  if (before === after) return [];
  const now = getAvailabilities(after);
  if (before !== undefined) return listEvents(getAvailabilities(before), now);
  return listEvents(NONE, now).filter(({ reason }) => reason === 'WorkflowUnavailable');
}
