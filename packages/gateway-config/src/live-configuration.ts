import { isDeepStrictEqual } from 'node:util';
import type { EventSink } from '@gateway/events';
import type { PresetSet } from '@gateway/preset-resolver';
import { resourceProblemText, type ConfigDocument } from '@gateway/resource-store';
import { changedKeys } from './changed-keys.ts';
import type { GatewayConfig } from './parse-config.ts';
import { readConfiguration } from './read-configuration.ts';

/** The configuration in force: presets follow the file, everything else is what the process started with. */
export interface LiveConfiguration {
  readonly config: () => GatewayConfig;
  readonly presets: () => PresetSet;
  /** Takes over the presets of an edited `config.yaml`; a bad edit keeps the old ones and is logged. */
  readonly update: (document: ConfigDocument | undefined) => void;
  /** The keys of a configuration whose values are not those that the process started with, and wait for the next start. */
  readonly waiting: (config: GatewayConfig) => readonly string[];
  /** Calls back after the presets were replaced; returns the way to stop it. */
  readonly onPresets: (listener: () => void) => () => void;
}

/** The part of a structured logger that the configuration writes to. */
export interface ConfigurationLog {
  readonly info: (text: string) => void;
  readonly warn: (facts: object, text: string) => void;
  readonly error: (text: string) => void;
}

/** The name of the resource that events about the configuration are about. */
export const CONFIGURATION_NAME = 'config';

const quiet: EventSink = () => undefined;

/** Starts with a configuration that was accepted. */
export function createLiveConfiguration(
  accepted: { readonly config: GatewayConfig; readonly presets: PresetSet },
  logger: ConfigurationLog,
  emit = quiet,
): LiveConfiguration {
  let { config, presets } = accepted;
  let told: readonly string[] = [];
  const listeners = new Set<() => void>();
  const waiting = (edited: GatewayConfig): readonly string[] =>
    changedKeys(config, edited).filter((key) => key !== 'toolsetPresets');
  return {
    config: () => config,
    presets: () => presets,
    waiting,
    onPresets: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update: (document) => {
      const edited = readConfiguration(document);
      if (!edited.ok) {
        refuse(edited.problems.map(resourceProblemText), { logger, emit });
        return;
      }
      const keys = waiting(edited.config);
      if (keys.length > 0 && !isDeepStrictEqual(keys, told))
        logger.warn({ keys }, 'changed keys of the configuration wait for the next start');
      told = keys;
      const { toolsetPresets } = edited.config;
      if (isDeepStrictEqual(toolsetPresets, config.toolsetPresets)) return;
      config = { ...config, toolsetPresets };
      presets = edited.presets;
      logger.info('toolset presets reloaded');
      emit({ reason: 'ConfigurationUpdated', name: CONFIGURATION_NAME });
      for (const listener of [...listeners]) listener();
    },
  };
}

function refuse(
  lines: readonly string[],
  { logger, emit }: { readonly logger: ConfigurationLog; readonly emit: EventSink },
): void {
  for (const line of lines) logger.error(`${line}; the presets that were in force stay`);
  const error = lines[0] ?? 'it cannot be used';
  emit({ reason: 'ConfigurationValidationFailed', name: CONFIGURATION_NAME, error });
}
