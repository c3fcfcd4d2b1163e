import type { ExecutionsPort } from '@gateway/core-tools';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { openRecordDirectory } from '@gateway/durable-files';
import { createExecutionRecords } from '@gateway/workflow-engine';
import type { Logger } from 'pino';
import type { GatewayConfig } from '@gateway/gateway-config';

/** The records of workflow runs. Runs write them and core tools read them. */
export interface ExecutionStore extends ExecutionsPort {
  record(record: ExecutionRecord): void;
  /** Stops the removal of old records. Resolves when all records are written. */
  close(): Promise<void>;
}

const SWEEP_EVERY_MS = 3_600_000;

/** Options of {@link createExecutionStore}. */
export interface ExecutionStoreOptions {
  readonly config: Pick<GatewayConfig, 'workflows'>;
  /** Directory of the records. Without it they are lost when the process ends. */
  readonly executionsDirectory?: string;
}

/** Creates a store of records, in memory or in a directory. Every hour it removes records beyond the limits of age, number and size. */
export function createExecutionStore(
  { config: { workflows }, executionsDirectory: directory }: ExecutionStoreOptions,
  logger: Logger,
): ExecutionStore {
  const records = createExecutionRecords({
    ...(directory !== undefined && { blobs: openRecordDirectory(directory) }),
    now: Date.now,
    warn: (text) => {
      logger.warn(text);
    },
    limits: {
      maxRecords: workflows.maxExecutions,
      maxAgeMs: workflows.executionMaxAgeSeconds * 1000,
      maxTotalBytes: workflows.maxExecutionBytes,
    },
  });
  const loaded = records.load();
  const timer = setInterval(() => {
    records.sweep();
  }, SWEEP_EVERY_MS).unref();
  return {
    record: (record) => {
      records.put(record);
    },
    list: async (query) => {
      await loaded;
      return records.list(query);
    },
    get: async (id) => {
      await loaded;
      return records.get(id);
    },
    close: async () => {
      clearInterval(timer);
      await records.settled();
    },
  };
}
