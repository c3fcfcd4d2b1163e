import { parseWorkflow, workflowDocument, type WorkflowStatus } from '@gateway/crd-schemas';
import type { ResourceProblem, WorkflowResource } from '@gateway/resource-store';

/** A workflow resource in a message to another process. */
interface WorkflowMessage {
  readonly name: string;
  readonly source: string;
  readonly text: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly status: WorkflowStatus;
  readonly document?: unknown;
  readonly problems?: readonly ResourceProblem[];
}

/** Returns a resource as JSON, with its workflow as a document. The process that reads it logs its warnings; they are not sent. */
export function serializeWorkflow(resource: WorkflowResource): string {
  const { name, source, text, createdAt, modifiedAt, status } = resource;
  const about = { name, source, text, createdAt, modifiedAt, status };
  const message: WorkflowMessage = resource.valid
    ? { ...about, document: workflowDocument(resource.workflow) }
    : { ...about, problems: resource.problems };
  return JSON.stringify(message);
}

/**
 * Returns the resource of such JSON.
 *
 * @throws when the workflow is invalid, which is a bug: both processes run the same program
 */
export function deserializeWorkflow(json: string, apiGroup: string): WorkflowResource {
  const { document, problems = [], ...about } = JSON.parse(json) as WorkflowMessage;
  if (document === undefined) return { ...about, valid: false, problems };
  const parsed = parseWorkflow(document, { apiGroup });
  if (!parsed.ok)
    throw new Error(
      `workflow ${about.name}: this process refuses a definition that the primary process accepts`,
    );
  return { ...about, valid: true, workflow: parsed.workflow, warnings: [] };
}
