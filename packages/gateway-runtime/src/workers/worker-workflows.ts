import { workflowDocument, type ExecutionRecord } from '@gateway/crd-schemas';
import { connectLink, type LinkPort } from '@gateway/process-link';
import type { WorkflowResource, WorkflowWriter } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { ExecutionStore } from '../workflows/execution-store.ts';
import type { WorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { deserializeWorkflow } from './workflow-message.ts';
import {
  WORKFLOW_MEMBERS,
  type WorkflowChange,
  type WorkflowContract,
} from './workflow-contract.ts';

/** Options of {@link WorkerWorkflows}. */
export interface WorkerWorkflowsOptions {
  readonly apiGroup: string;
  readonly logger: Logger;
}

/** The workflows and runs of the primary process, as a worker uses them. */
export class WorkerWorkflows {
  readonly #primary: WorkflowContract;
  readonly #apiGroup: string;
  #known: ReadonlyMap<string, WorkflowResource> = new Map();

  constructor(port: LinkPort, { apiGroup, logger }: WorkerWorkflowsOptions) {
    this.#apiGroup = apiGroup;
    this.#primary = connectLink<WorkflowContract>(port, WORKFLOW_MEMBERS, {
      onDrop: (_member, [record]) => {
        const { workflow_name: workflow } = record as ExecutionRecord;
        logger.warn({ workflow }, 'record of a run is dropped');
      },
    });
  }

  /** Writes through the primary process. When a write resolves, this worker has the new workflows. */
  readonly writer: WorkflowWriter = {
    create: (workflow) => this.#primary.create(workflowDocument(workflow)),
    replace: (workflow) => this.#primary.replace(workflowDocument(workflow)),
    remove: (key) => this.#primary.remove(key),
  };

  /** The records of runs. The primary process stores them. */
  readonly executions: ExecutionStore = {
    record: (record) => {
      this.#primary.executions.record(record);
    },
    list: (query) => this.#primary.executions.list(query),
    get: (executionId) => this.#primary.executions.get(executionId),
    close: () => Promise.resolve(),
  };

  /** Warnings about workflows. The primary process logs them, and follows the versions itself. */
  readonly warnings: WorkflowWarnings = {
    warn: (text) => {
      this.#primary.warn(text);
    },
    follow: () => undefined,
  };

  /** Calls the listener with the workflows and after each change. Resolves after the first call. */
  follow(listener: (resources: readonly WorkflowResource[]) => void): Promise<void> {
    return new Promise((resolve) => {
      this.#primary.follow((change) => {
        listener(this.#apply(change));
        resolve();
      });
    });
  }

  #apply({ names, changed }: WorkflowChange): readonly WorkflowResource[] {
    const known = new Map(this.#known);
    for (const json of changed) {
      const resource = deserializeWorkflow(json, this.#apiGroup);
      known.set(resource.name, resource);
    }
    const resources = names.flatMap((name) => known.get(name) ?? []);
    this.#known = new Map(resources.map((one) => [one.name, one]));
    return resources;
  }
}
