import type { RecordBlobs } from '@gateway/call-contract';
import type { ExecutionsPort } from '@gateway/core-tools';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { RecordDirectory } from '@gateway/files';
import type { GatewayConfig } from '@gateway/gateway-config';
import type { GatewayStore } from '@gateway/resource-store';
import { ExecutionRecords, RETENTION_LIMITS, type RecordTimer } from '@gateway/workflow-engine';
import type { Logger } from 'pino';

/** The records of workflow runs. Runs write them and core tools read them. */
export interface ExecutionStore extends ExecutionsPort {
  /** Resolves when the directory has the record, or cannot store it; at once for a record in memory or in a cluster. */
  record(record: ExecutionRecord): void | Promise<void>;
  /** Stops the removal of old records. Resolves when all records are written. */
  close(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 3_600_000;

export interface ExecutionStoreOptions {
  readonly config: Pick<GatewayConfig, 'workflows'>;
  /** Directory of the records. When absent, records are cluster objects of `store`, or stay in memory. */
  readonly executionsDirectory?: string;
  readonly store?: Pick<GatewayStore, 'records'>;
}

/** All objects of a cluster share a database of a few GiB, in which a record may need twice its size. */
const MAX_CLUSTER_BYTES = 256 * 1024 * 1024;

const toStorage = ({
  executionsDirectory: directory,
  store,
}: ExecutionStoreOptions): RecordBlobs | undefined =>
  directory === undefined ? store?.records : new RecordDirectory(directory);

const TIMER: RecordTimer = {
  elapsed: () => performance.now(),
  after: (delayMs, action) => {
    const timeout = setTimeout(action, delayMs);
    return () => {
      clearTimeout(timeout);
    };
  },
};

const createExecutionRecords = (
  { workflows }: ExecutionStoreOptions['config'],
  blobs: RecordBlobs | undefined,
  logger: Logger,
): ExecutionRecords => {
  const defaultBytes =
    blobs?.shared === undefined ? RETENTION_LIMITS.maxTotalBytes : MAX_CLUSTER_BYTES;
  return new ExecutionRecords({
    blobs,
    now: Date.now,
    timer: TIMER,
    warn: (text) => {
      logger.warn(text);
    },
    limits: {
      maxRecords: workflows.maxExecutions,
      maxAgeMs: workflows.executionMaxAgeSeconds * 1000,
      maxTotalBytes: workflows.maxExecutionBytes ?? defaultBytes,
    },
  });
};

/** Creates a store of records: in memory, in a directory or in a cluster. Every hour it removes records beyond the limits of age, number and size. */
export function createExecutionStore(
  options: ExecutionStoreOptions,
  logger: Logger,
): ExecutionStore {
  const records = createExecutionRecords(options.config, toStorage(options), logger);
  const loaded = records.load();
  const timer = setInterval(() => {
    records.sweep();
  }, SWEEP_INTERVAL_MS).unref();
  return {
    record: (record) => records.put(record),
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
      await records.settle();
      records.close();
    },
  };
}
