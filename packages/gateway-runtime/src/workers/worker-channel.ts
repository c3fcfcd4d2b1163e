import type { Channel } from '@gateway/process-link';

/** The topics of the channel between the primary process and a worker. */
export type WorkerTopic =
  'lifecycle' | 'hub' | 'peers' | 'metrics' | 'workflows' | 'services' | 'state' | 'id-tokens';

/** The channel between the primary process and a worker, from either end. */
export type WorkerChannel = Channel<WorkerTopic>;
