import {
  createSharedService,
  addServeOptions,
  type ServiceArguments,
} from '@gateway/agent-manager-service';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentStore, SkillSource } from '@gateway/agent-releases';
import { openReleaseDirectory } from '@gateway/agent-releases';
import { pino } from 'pino';
import { createServiceFromOptions } from '../../src/serving/create-service-from-options.ts';
import { startListening } from '../../src/serving/listening-service.ts';
import { Command } from 'commander';

/** agent-manager in this process, over a directory of its own, on a free port of 127.0.0.1. */
export interface StartedService {
  readonly url: string;
  readonly directory: string;
  readonly store: AgentStore;
  /** Lines of the log so far, of every level. */
  readonly logs: () => readonly Readonly<Record<string, unknown>>[];
  readonly drain: (timeoutMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The options that differ from the defaults of the command line. */
export interface StartOptions {
  readonly namespaces?: readonly [string, ...string[]];
  readonly skills?: SkillSource;
  /** Replaces the store of the directory. */
  readonly store?: (store: AgentStore) => AgentStore;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
}

/** Starts agent-manager and waits until it listens. */
export async function startService({
  namespaces = ['default'],
  skills,
  store: standIn = (store) => store,
  ...guard
}: StartOptions = {}): Promise<StartedService> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-manager-'));
  const opened = await openReleaseDirectory({ directory, namespaces });
  if (!opened.ok) throw new Error(opened.problem);
  const store = standIn(opened.store);
  const options: ServiceArguments = {
    ...addServeOptions(new Command()).opts<ServiceArguments>(),
    namespaces,
  };
  const lines: string[] = [];
  const listening = await startListening({
    resolveService: createSharedService(
      createServiceFromOptions(options, { store, ...(skills !== undefined && { skills }) }),
    ),
    store,
    namespaces,
    address: { host: '127.0.0.1', port: 0 },
    ...guard,
    logger: pino(
      { level: 'trace', formatters: { level: (level) => ({ level }) } },
      {
        write: (line: string) => void lines.push(line),
      },
    ),
  });
  return {
    url: listening.url,
    directory,
    store,
    logs: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    drain: listening.drain,
    stop: async () => {
      await listening.drain(1_000);
      await opened.store.close();
      rmSync(directory, { recursive: true });
    },
  };
}
