import { parseWorkflow, type ExecutionRecord } from '@gateway/crd-schemas';
import { serveLink, type LinkPort } from '@gateway/process-link';
import type { GatewayStore, WorkflowResource } from '@gateway/resource-store';
import { endedRecord } from '@gateway/workflow-engine';
import type { ExecutionStore } from '../workflows/execution-store.ts';
import type { WorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { serializeWorkflow } from './workflow-message.ts';
import type { WorkflowChange, WorkflowContract } from './workflow-contract.ts';

/** The workflows and runs that the primary process serves to its workers. */
export interface ServedWorkflows {
  readonly store: GatewayStore;
  readonly executions: ExecutionStore;
  readonly warnings: Pick<WorkflowWarnings, 'warn'>;
  readonly apiGroup: string;
}

/** Serves workflows and records of runs to a worker. When its channel closes, the runs of the worker end as failed. */
export function serveWorkflows(served: ServedWorkflows, port: LinkPort): void {
  const { store, executions, warnings, apiGroup } = served;
  const runs = new WorkerRuns(executions);
  const write = (kind: 'create' | 'replace') => (document: unknown) => {
    const parsed = parseWorkflow(document, { apiGroup });
    if (!parsed.ok)
      throw new Error('the primary process refuses a workflow that the worker accepts');
    return store.workflows[kind](parsed.workflow);
  };
  const contract: WorkflowContract = {
    follow: (listener) => followWorkflows(store, listener),
    create: write('create'),
    replace: write('replace'),
    remove: (key) => store.workflows.remove(key),
    warn: (text) => {
      warnings.warn(text);
    },
    executions: {
      record: (record) => {
        runs.record(record);
      },
      list: (query) => executions.list(query),
      get: (id) => executions.get(id),
    },
  };
  serveLink(port, contract);
  port.onClose(() => {
    runs.end();
  });
}

/** Calls the listener with all workflows, then with each change. An unchanged resource keeps its identity. */
function followWorkflows(
  store: GatewayStore,
  listener: (change: WorkflowChange) => void,
): () => void {
  let known = new Map<string, WorkflowResource>();
  const send = (now: readonly WorkflowResource[]): void => {
    const changed = now.filter((one) => known.get(one.name) !== one).map(serializeWorkflow);
    known = new Map(now.map((one) => [one.name, one]));
    listener({ names: [...known.keys()], changed });
  };
  send(store.current().workflows);
  return store.subscribe(({ workflows }, previous) => {
    if (workflows !== previous.workflows) send(workflows);
  });
}

/** Stores the records of a worker's runs. */
class WorkerRuns {
  readonly #executions: ExecutionStore;
  readonly #running = new Map<string, ExecutionRecord>();

  constructor(executions: ExecutionStore) {
    this.#executions = executions;
  }

  record(record: ExecutionRecord): void {
    if (record.status === 'inprogress') this.#running.set(record.execution_id, record);
    else this.#running.delete(record.execution_id);
    this.#executions.record(record);
  }

  /** Records the end of the runs that are in progress: the worker has ended. */
  end(): void {
    const now = Date.now();
    for (const record of this.#running.values())
      this.#executions.record({
        ...endedRecord(record),
        completed_at: new Date(now).toISOString(),
        duration_ms: Math.max(0, now - Date.parse(record.started_at)),
      });
    this.#running.clear();
  }
}
