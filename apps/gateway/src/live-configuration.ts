import { isDeepStrictEqual } from 'node:util';
import type { PresetSet } from '@gateway/preset-resolver';
import { resourceProblemText, type ConfigDocument } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.ts';
import { readConfiguration } from './configuration.ts';

/** The configuration in force: presets follow the file, everything else is what the process started with. */
export interface LiveConfiguration {
  readonly config: () => GatewayConfig;
  readonly presets: () => PresetSet;
  /** Takes over the presets of an edited `config.yaml`; a bad edit keeps the old ones and is logged. */
  readonly update: (document: ConfigDocument | undefined) => void;
  /** Calls back after the presets were replaced; returns the way to stop it. */
  readonly onPresets: (listener: () => void) => () => void;
}

/** Starts with a configuration that was accepted. */
export function createLiveConfiguration(
  accepted: { readonly config: GatewayConfig; readonly presets: PresetSet },
  logger: Logger,
): LiveConfiguration {
  let { config, presets } = accepted;
  const listeners = new Set<() => void>();
  return {
    config: () => config,
    presets: () => presets,
    onPresets: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update: (document) => {
      const edited = readConfiguration(document);
      if (!edited.ok) {
        for (const problem of edited.problems)
          logger.error(`${resourceProblemText(problem)}; the presets that were in force stay`);
        return;
      }
      const { toolsetPresets, ...rest } = edited.config;
      const { toolsetPresets: before, ...started } = config;
      if (!isDeepStrictEqual(rest, started))
        logger.warn('config.yaml changed; all but toolsetPresets takes effect at the next start');
      if (isDeepStrictEqual(toolsetPresets, before)) return;
      config = { ...config, toolsetPresets };
      presets = edited.presets;
      logger.info('toolset presets reloaded');
      for (const listener of [...listeners]) listener();
    },
  };
}
