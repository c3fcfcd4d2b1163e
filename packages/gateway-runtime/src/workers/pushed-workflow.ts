import { parseWorkflow, workflowDocument, type WorkflowStatus } from '@gateway/crd-schemas';
import type { ResourceProblem, WorkflowResource } from '@gateway/resource-store';

/** A workflow resource on its way to another process. */
interface Sent {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly status: WorkflowStatus;
  readonly document?: unknown;
  readonly problems?: readonly ResourceProblem[];
}

/** JSON of a resource, its workflow as the document that it would be read from. Warnings are logged where it is read, and stay there. */
export function sentWorkflow(resource: WorkflowResource): string {
  const { name, file, text, createdAt, modifiedAt, status } = resource;
  const about = { name, file, text, createdAt, modifiedAt, status };
  const sent: Sent = resource.valid
    ? { ...about, document: workflowDocument(resource.workflow) }
    : { ...about, problems: resource.problems };
  return JSON.stringify(sent);
}

/**
 * The resource of such JSON.
 *
 * @throws when the two processes do not agree about what a workflow is: they are one program
 */
export function receivedWorkflow(json: string, apiGroup: string): WorkflowResource {
  const { document, problems = [], ...about } = JSON.parse(json) as Sent;
  if (document === undefined) return { ...about, valid: false, problems };
  const parsed = parseWorkflow(document, { apiGroup });
  if (!parsed.ok) throw new Error(`workflow ${about.name} is not the one that was accepted`);
  return { ...about, valid: true, workflow: parsed.workflow, warnings: [] };
}
