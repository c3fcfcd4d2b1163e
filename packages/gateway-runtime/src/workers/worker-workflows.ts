import { workflowDocument, type ExecutionRecord, type Workflow } from '@gateway/crd-schemas';
import type {
  WorkflowResource,
  WorkflowWriteResult,
  WorkflowWriter,
} from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { ExecutionStore } from '../workflows/execution-store.ts';
import type { WorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { Questions } from './asking.ts';
import type { TopicPort } from './channel.ts';
import { receivedWorkflow } from './pushed-workflow.ts';
import type {
  WorkflowQuestion,
  WorkflowsToPrimary,
  WorkflowsToWorker,
} from './workflow-message.ts';

/** Characters of records that may wait to be sent; further ones are dropped, and runs go on. */
const MAX_UNSENT = 64 * 1024 * 1024;

/** What workers need beside the port. */
export interface WorkerWorkflowsOptions {
  readonly apiGroup: string;
  readonly logger: Logger;
}

/** The workflows of the primary, as a worker has them. */
export class WorkerWorkflows {
  readonly #port: TopicPort;
  readonly #options: WorkerWorkflowsOptions;
  readonly #questions: Questions<WorkflowQuestion>;
  readonly #listeners = new Set<(resources: readonly WorkflowResource[]) => void>();
  #known: ReadonlyMap<string, WorkflowResource> = new Map();

  constructor(port: TopicPort, options: WorkerWorkflowsOptions) {
    this.#port = port;
    this.#options = options;
    this.#questions = new Questions((ask) => {
      this.#tell(ask);
    });
    port.onMessage((message) => {
      this.#take(message as WorkflowsToWorker);
    });
  }

  /** Writes through the primary; when a write is done, this worker knows of it. */
  readonly writer: WorkflowWriter = {
    create: (workflow) => this.#write('create', workflow),
    replace: (workflow) => this.#write('replace', workflow),
    remove: (name) => this.#questions.ask<WorkflowWriteResult>({ kind: 'remove', name }),
  };

  /** Has the primary keep the records. */
  readonly executions: ExecutionStore = {
    record: (record) => {
      this.#record(record);
    },
    list: (query) => this.#questions.ask({ kind: 'list', query }),
    get: (executionId) =>
      this.#questions.ask<ExecutionRecord | undefined>({ kind: 'get', executionId }),
    close: () => Promise.resolve(),
  };

  /** Has the primary log warnings; it follows the versions itself. */
  readonly warnings: WorkflowWarnings = {
    warn: (text) => {
      this.#tell({ kind: 'warn', text });
    },
    follow: () => undefined,
  };

  /** Asks for the workflows; resolves with the first answer, and tells the listener of every one. */
  follow(listener: (resources: readonly WorkflowResource[]) => void): Promise<void> {
    this.#listeners.add(listener);
    return new Promise((resolve) => {
      const first = (): void => {
        this.#listeners.delete(first);
        resolve();
      };
      this.#listeners.add(first);
      this.#tell({ kind: 'follow' });
    });
  }

  #take(message: WorkflowsToWorker): void {
    switch (message.kind) {
      case 'workflows':
        this.#update(message.names, message.changed);
        break;
      case 'answer':
        this.#questions.take(message);
    }
  }

  #update(names: readonly string[], changed: readonly string[]): void {
    const { apiGroup } = this.#options;
    const known = new Map(this.#known);
    for (const json of changed) {
      const resource = receivedWorkflow(json, apiGroup);
      known.set(resource.name, resource);
    }
    const resources = names.flatMap((name) => known.get(name) ?? []);
    this.#known = new Map(resources.map((one) => [one.name, one]));
    for (const listener of [...this.#listeners]) listener(resources);
  }

  #write(kind: 'create' | 'replace', workflow: Workflow): Promise<WorkflowWriteResult> {
    return this.#questions.ask({ kind, document: JSON.stringify(workflowDocument(workflow)) });
  }

  #record(record: ExecutionRecord): void {
    const json = JSON.stringify(record);
    const unsent = this.#port.unsent();
    if (unsent > 0 && unsent + json.length > MAX_UNSENT)
      this.#options.logger.warn({ workflow: record.workflow_name }, 'record of a run is dropped');
    else this.#tell({ kind: 'record', json }, json.length);
  }

  #tell(message: WorkflowsToPrimary, size?: number): void {
    this.#port.send(message, size);
  }
}
