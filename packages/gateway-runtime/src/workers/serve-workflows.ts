import { parseWorkflow, type ExecutionRecord } from '@gateway/crd-schemas';
import type { FileStore, WorkflowResource } from '@gateway/resource-store';
import { endedRecord } from '@gateway/workflow-engine';
import type { ExecutionStore } from '../workflows/execution-store.ts';
import type { WorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { answered } from './asking.ts';
import type { TopicPort } from './channel.ts';
import { sentWorkflow } from './pushed-workflow.ts';
import type {
  WorkflowQuestion,
  WorkflowsToPrimary,
  WorkflowsToWorker,
} from './workflow-message.ts';

/** What the primary keeps for its workers. */
export interface ServedWorkflows {
  readonly store: FileStore;
  readonly executions: ExecutionStore;
  readonly warnings: Pick<WorkflowWarnings, 'warn'>;
  readonly apiGroup: string;
}

/** Tells a worker of the workflows, writes for it and keeps the records of its runs, until its channel closes. */
export function serveWorkflows(served: ServedWorkflows, port: TopicPort): void {
  const { store } = served;
  const runs = runningRuns(served.executions);
  const tell = (message: WorkflowsToWorker, size?: number): void => {
    port.send(message, size);
  };
  let unfollow = (): void => undefined;
  const follow = (): void => {
    unfollow();
    const changes = changesOf();
    tell(changes(store.current().workflows));
    unfollow = store.subscribe(({ workflows }, previous) => {
      if (workflows !== previous.workflows) tell(changes(workflows));
    });
  };
  port.onMessage((message) => {
    const known = message as WorkflowsToPrimary;
    switch (known.kind) {
      case 'follow':
        follow();
        break;
      case 'record':
        runs.take(JSON.parse(known.json) as ExecutionRecord);
        break;
      case 'warn':
        served.warnings.warn(known.text);
        break;
      case 'ask':
        void answered(known.id, () => answer(served, known.question)).then((told) => {
          tell({ kind: 'answer', ...told }, told.json?.length);
        });
    }
  });
  port.onClose(() => {
    unfollow();
    runs.end();
  });
}

/** Works out what a worker does not know yet. A resource keeps its identity while it says the same. */
function changesOf(): (now: readonly WorkflowResource[]) => WorkflowsToWorker {
  let known = new Map<string, WorkflowResource>();
  return (now) => {
    const changed = now.filter((one) => known.get(one.name) !== one).map(sentWorkflow);
    known = new Map(now.map((one) => [one.name, one]));
    return { kind: 'workflows', names: [...known.keys()], changed };
  };
}

async function answer(served: ServedWorkflows, question: WorkflowQuestion): Promise<unknown> {
  const { store, executions } = served;
  switch (question.kind) {
    case 'create':
    case 'replace':
      return write(served, question.kind, question.document);
    case 'remove':
      return store.workflows.remove(question.name);
    case 'list':
      return executions.list(question.query);
    case 'get':
      return executions.get(question.executionId);
  }
}

function write(
  { store, apiGroup }: ServedWorkflows,
  kind: 'create' | 'replace',
  document: string,
): Promise<unknown> {
  const parsed = parseWorkflow(JSON.parse(document), { apiGroup });
  if (!parsed.ok) throw new Error('the workflow is not the one that was accepted');
  return store.workflows[kind](parsed.workflow);
}

/** Passes records on, and ends those of runs that a worker cannot end any more. */
function runningRuns(executions: ExecutionStore) {
  const running = new Map<string, ExecutionRecord>();
  return {
    take: (record: ExecutionRecord): void => {
      if (record.status === 'inprogress') running.set(record.execution_id, record);
      else running.delete(record.execution_id);
      executions.record(record);
    },
    end: (): void => {
      const now = Date.now();
      for (const record of running.values())
        executions.record({
          ...endedRecord(record),
          completed_at: new Date(now).toISOString(),
          duration_ms: Math.max(0, now - Date.parse(record.started_at)),
        });
      running.clear();
    },
  };
}
