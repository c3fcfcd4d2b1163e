import { isJsonObject } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';
import type { EventSink } from '@gateway/events';
import type { PresetSet } from '@gateway/preset-resolver';
import { type ConfigDocument, formatProblem } from '@gateway/resource-store';
import type { GatewayConfig } from './parse-config.ts';
import { readConfiguration } from './read-configuration.ts';
import { RELOADABLE_KEYS } from './schema/config-schema.ts';

/** Returns the keys whose values differ between two configurations, as `group.key` inside groups. Presets are one key. */
function diffKeys(before: object, after: object): readonly string[] {
  const previous = new Map<string, unknown>(Object.entries(before));
  const current = new Map<string, unknown>(Object.entries(after));
  const keys = [...new Set([...previous.keys(), ...current.keys()])];
  return keys.flatMap((key) => {
    const [a, b] = [previous.get(key), current.get(key)];
    if (isDeepStrictEqual(a, b)) return [];
    const isWhole = RELOADABLE_KEYS.includes(key) || !isJsonObject(a) || !isJsonObject(b);
    return isWhole ? [key] : diffKeys(a, b).map((inner) => `${key}.${inner}`);
  });
}

/** The current configuration. Presets follow the file; all other keys keep the values of the start. */
export interface LiveConfiguration {
  readonly config: () => GatewayConfig;
  readonly presets: () => PresetSet;
  /** Applies the presets of an edited `config.yaml`. After an invalid edit, which is logged, the previous presets stay in force. */
  readonly update: (document: ConfigDocument | undefined) => void;
  /** Returns the keys whose values take effect at the next start. */
  readonly pendingKeys: (config: GatewayConfig) => readonly string[];
  /** Calls the listener after the presets were replaced. Returns a function that stops it. */
  readonly onPresets: (listener: () => void) => () => void;
}

/** The part of a structured logger that the configuration writes to. */
interface ConfigurationLog {
  readonly info: (text: string) => void;
  readonly warn: (facts: object, text: string) => void;
  readonly error: (text: string) => void;
}

/** The resource name of events about the configuration. */
export const CONFIGURATION_NAME = 'config';

const ignore: EventSink = () => undefined;

/** Creates the current configuration from a valid one. */
export function createLiveConfiguration(
  accepted: { readonly config: GatewayConfig; readonly presets: PresetSet },
  logger: ConfigurationLog,
  emit = ignore,
): LiveConfiguration {
  let { config, presets } = accepted;
  let logged: readonly string[] = [];
  const listeners = new Set<() => void>();
  const pendingKeys = (edited: GatewayConfig): readonly string[] =>
    diffKeys(config, edited).filter((key) => !RELOADABLE_KEYS.includes(key));
  return {
    config: () => config,
    presets: () => presets,
    pendingKeys,
    onPresets: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update: (document) => {
      const edited = readConfiguration(document);
      if (!edited.ok) {
        reportProblems(edited.problems.map(formatProblem), { logger, emit });
        return;
      }
      const keys = pendingKeys(edited.config);
      if (keys.length > 0 && !isDeepStrictEqual(keys, logged))
        logger.warn({ keys }, 'changed keys of the configuration take effect at the next start');
      logged = keys;
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

function reportProblems(
  lines: readonly string[],
  { logger, emit }: { readonly logger: ConfigurationLog; readonly emit: EventSink },
): void {
  for (const line of lines) logger.error(`${line}; the previous presets stay in force`);
  const error = lines[0] ?? 'the configuration is invalid';
  emit({ reason: 'ConfigurationValidationFailed', name: CONFIGURATION_NAME, error });
}
