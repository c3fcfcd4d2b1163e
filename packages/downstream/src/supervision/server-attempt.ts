import type { McpServer } from '@gateway/crd-schemas';
import type { Era } from '../requests/request-connection.ts';
import type { ConnectionObserver } from '../connection/connection-lifetime.ts';
import { openConnection } from '../connection/open-connection.ts';
import type { Connection, OpenOutcome } from '../connection/connection.ts';
import { createRelistSchedule } from '../lists/relist-schedule.ts';
import type { ListReading } from '../lists/server-lists.ts';
import { computeDigests } from '../lists/exposed-lists.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';

/** The input of an attempt. */
export interface AttemptTask {
  /** Returns the definition at the time of the attempt. */
  readonly definition: () => McpServer;
  readonly knownEra: Era | undefined;
  /** The previous attempt failed. */
  readonly isRetry: boolean;
  /** Resolves when the previous attempt has ended. */
  readonly previous: Promise<void>;
}

/** Receives the outcome of an attempt and the events of its connection. */
export interface AttemptObserver extends Required<
  Pick<ConnectionObserver, 'onLost' | 'onHealth' | 'onProgress' | 'onSessionEnded'>
> {
  readonly onOutcome: (outcome: OpenOutcome) => void;
  /** The lists were read again. Must not reject. */
  readonly onListsRead: (connection: Connection, reading: ListReading) => Promise<void>;
}

/** One attempt to connect, with its connection. */
export interface Attempt {
  /** Aborts the attempt or ends its connection. */
  end(): void;
  /** Ends the connection when no call uses it. */
  leave(): void;
  /** Resolves when the attempt has ended completely. */
  readonly over: Promise<void>;
}

/** Collects list changes from the moment of the first reading. */
const createListNotices = (
  dependencies: SupervisorDependencies,
  { onListsRead }: Pick<AttemptObserver, 'onListsRead'>,
) => {
  let isMissed = false;
  let schedule: ReturnType<typeof createRelistSchedule> | undefined;
  return {
    notice(): void {
      isMissed = true;
      schedule?.notice();
    },
    follow(connection: Connection): void {
      schedule = createRelistSchedule(dependencies, connection.listReader, (reading) =>
        onListsRead(connection, reading),
      );
      if (isMissed) schedule.notice();
    },
    stop: (): void => schedule?.stop(),
  };
};

const enter = (
  task: AttemptTask,
  { gate }: SupervisorDependencies,
  signal: AbortSignal,
): Promise<(() => void) | undefined> => {
  const { metadata, spec } = task.definition();
  // Only stdio servers use the processors of this machine.
  if (spec.type !== 'stdio') return Promise.resolve(undefined);
  return gate.enter({ server: metadata.name, isRetry: task.isRetry, signal });
};

type Endings = Readonly<Record<'signal' | 'leaving', AbortSignal>>;

/** Resolves when the connection must end, or may leave and no call uses it. */
const untilEnded = (connection: Connection, { signal, leaving }: Endings): Promise<void> =>
  new Promise((resolve) => {
    // The owner of the attempt keeps both signals: a listener that stayed there would keep the closed connection in memory.
    const end = (): void => {
      signal.removeEventListener('abort', end);
      leaving.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => void connection.unused().then(end);
    signal.addEventListener('abort', end);
    leaving.addEventListener('abort', leave);
    if (signal.aborted) end();
    else if (leaving.aborted) leave();
  });

/** Runs an attempt from waiting for its predecessor and its slot to its end. */
const live = async (
  task: AttemptTask,
  dependencies: SupervisorDependencies,
  { signal, leaving, ...observer }: AttemptObserver & Endings,
): Promise<void> => {
  await task.previous;
  await dependencies.declared.ready;
  const leave = await enter(task, dependencies, signal);
  if (signal.aborted) {
    leave?.();
    return;
  }
  const { clientInfo } = dependencies;
  const server = task.definition();
  const notices = createListNotices(dependencies, observer);
  let isStarting = true;
  const outcome = await openConnection(
    { server, clientInfo, knownEra: task.knownEra, signal },
    dependencies,
    {
      ...observer,
      onListChanged: () => notices.notice(),
      onResourceUpdated: (params) => dependencies.onResourceUpdated(server.metadata.name, params),
      onProgress: (line) => {
        if (isStarting && !signal.aborted) observer.onProgress(line);
      },
    },
  );
  isStarting = false;
  leave?.();
  if (outcome.ok) {
    await computeDigests(outcome.connection.lists.tools);
    notices.follow(outcome.connection);
  }
  observer.onOutcome(outcome);
  if (!outcome.ok) return;
  await untilEnded(outcome.connection, { signal, leaving });
  notices.stop();
  await outcome.connection.close();
};

/** Starts an attempt. */
export const beginAttempt = (
  task: AttemptTask,
  dependencies: SupervisorDependencies,
  observer: AttemptObserver,
): Attempt => {
  const ending = new AbortController();
  const leaving = new AbortController();
  const signals = { signal: ending.signal, leaving: leaving.signal };
  return {
    end: () => ending.abort(new Error('the server was stopped')),
    leave: () => leaving.abort(),
    over: live(task, dependencies, { ...observer, ...signals }),
  };
};
