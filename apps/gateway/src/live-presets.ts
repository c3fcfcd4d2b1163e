import type { PresetSet } from '@gateway/preset-resolver';
import { resourceProblemText, type ConfigDocument } from '@gateway/resource-store';
import type { Logger } from 'pino';
import { readConfiguration } from './configuration.ts';

/** The presets in force. */
export interface LivePresets {
  readonly current: () => PresetSet;
  /** Takes over the presets of an edited `config.yaml`; a bad edit keeps the old ones and is logged. */
  readonly update: (document: ConfigDocument | undefined) => void;
}

/** Starts with presets that were accepted. */
export function createLivePresets(accepted: PresetSet, logger: Logger): LivePresets {
  let presets = accepted;
  return {
    current: () => presets,
    update: (document) => {
      const configuration = readConfiguration(document);
      if (configuration.ok) {
        presets = configuration.presets;
        logger.info('toolset presets reloaded');
        return;
      }
      for (const problem of configuration.problems)
        logger.error(`${resourceProblemText(problem)}; the presets that were in force stay`);
    },
  };
}
