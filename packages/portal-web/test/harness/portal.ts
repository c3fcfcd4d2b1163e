import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestConfigDirectory,
  retryAssertion,
  type ConfigDirectory,
} from '@gateway/repo-checks';
import { findFreePorts } from '@gateway/test-peers';
import { startAgentManager, startGateway, startPortalProgram } from './programs.ts';
import { createSampleAgents, writeModelConfig } from './sample-agents.ts';
import { writeSampleConfig, type SampleOptions } from './sample-config.ts';

/** The options of {@link startPortal}. */
export interface PortalOptions extends SampleOptions {
  /** The path prefix of the portal, with slashes at both ends; `/` when absent. */
  readonly prefix?: string;
  /** Further arguments of the portal. */
  readonly args?: readonly string[];
  /** Further arguments of the gateway. */
  readonly gatewayArgs?: readonly string[];
  /** Further arguments of agent-manager. */
  readonly agentManagerArgs?: readonly string[];
}

/** A portal with a gateway, agent-manager and servers, all real and of its own. */
export interface TestPortal {
  /** The URL of the portal, with a slash at its end. */
  readonly url: string;
  /** The configuration of the gateway, which reads changes by itself. */
  readonly config: ConfigDirectory;
  readonly gatewayUrl: string;
  readonly agentManagerUrl: string;
  readonly stopGateway: () => Promise<void>;
  readonly stopAgentManager: () => Promise<void>;
  /** Starts the gateway at its former address after {@link stopGateway}, and waits until it is ready. */
  readonly startGatewayAgain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Waits until a request succeeds. */
export const untilOk = (url: string): Promise<void> =>
  retryAssertion(async () => {
    const { ok, status } = await fetch(url);
    if (!ok) throw new Error(`${url}: ${status}`);
  });

/** The ends of what was started, so that nothing outlives a start that failed. */
export class Closers {
  readonly #ends: (() => Promise<void>)[] = [];

  add<T extends { readonly stop: () => Promise<void> }>(started: T): T {
    this.#ends.push(started.stop);
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end()));
  }
}

interface Places {
  readonly store: string;
  readonly config: ConfigDirectory;
}

const startPrograms = async (
  { store, config }: Places,
  options: PortalOptions,
  closers: Closers,
) => {
  const { prefix = '/', args = [], gatewayArgs = [], agentManagerArgs = [] } = options;
  const [port = 0, gatewayPort = 0] = await findFreePorts(2);
  const [agentManager, gateway] = await Promise.all([
    startAgentManager({ args: ['--store', store, ...agentManagerArgs] }).then((started) =>
      closers.add(started),
    ),
    startGateway(config.path, { port: gatewayPort, args: gatewayArgs }).then((started) =>
      closers.add(started),
    ),
  ]);
  const url = `http://127.0.0.1:${port}${prefix}`;
  closers.add(
    await startPortalProgram([
      ...['--port', String(port), '--public-url', url, '--gateway', `${gateway.url}/mcp`],
      ...['--agent-manager', agentManager.url, '--metrics', `${gateway.url}/metrics`, ...args],
    ]),
  );
  await Promise.all([createSampleAgents(agentManager.url), untilOk(`${gateway.url}/readyz`)]);
  return { url, gateway, agentManager };
};

/** Starts everything that the portal needs, and the portal. The caller closes it. */
export const startPortal = async (options: PortalOptions = {}): Promise<TestPortal> => {
  const store = await mkdtemp(join(tmpdir(), 'portal-agents-'));
  const config = createTestConfigDirectory();
  const closers = new Closers();
  const close = async (): Promise<void> => {
    await closers.close();
    config.remove();
    await rm(store, { recursive: true, force: true });
  };
  try {
    writeSampleConfig(config, options);
    await writeModelConfig(store);
    const { url, gateway, agentManager } = await startPrograms({ store, config }, options, closers);
    let current = gateway;
    return {
      url,
      config,
      gatewayUrl: gateway.url,
      agentManagerUrl: agentManager.url,
      stopGateway: () => current.stop(),
      stopAgentManager: () => agentManager.stop(),
      startGatewayAgain: async () => {
        const port = Number(new URL(gateway.url).port);
        current = closers.add(await startGateway(config.path, { port }));
        await untilOk(`${gateway.url}/readyz`);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
