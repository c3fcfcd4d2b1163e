import { BUILT_IN_PRESETS } from './built-in-presets.ts';
import { reportCycles, reportUnknownPresets, withComposing } from './composition.ts';
import { parsePreset, type ParsedPreset, type PresetReading } from './parse-preset.ts';
import { isPlainObject } from './plain-object.ts';
import type { PresetError } from './preset-error.ts';
import type { Preset, PresetSet } from './preset.ts';

/** Options of the parser of `toolsetPresets`. */
export interface PresetOptions {
  /** The version of the gateway that reads the configuration, as in its package. @spec §2.2 rule `label` */
  readonly gatewayVersion: string;
}

/** The outcome of parsing `toolsetPresets`. A refusal is a value. @spec §7.3 */
export type ParsedPresets =
  | { readonly ok: true; readonly presets: PresetSet }
  | { readonly ok: false; readonly errors: readonly PresetError[] };

const BUILT_IN_NAMES = BUILT_IN_PRESETS.map(({ name }) => name);

const parseConfigured = (config: unknown, reading: PresetReading): readonly ParsedPreset[] => {
  if (config === undefined || config === null) return [];
  if (!isPlainObject(config)) {
    reading.report({ code: 'presets.not-a-map', path: [] });
    return [];
  }
  const parsed: ParsedPreset[] = [];
  for (const [name, value] of Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (BUILT_IN_NAMES.includes(name))
      reading.report({ code: 'preset.built-in', preset: name, path: [name] });
    else parsed.push(parsePreset(name, value, reading));
  }
  return parsed;
};

const usesLabels = ({ include, exclude }: Preset): boolean =>
  [...include, ...exclude].some(({ kind }) => kind === 'label');

/**
 * Parses the value of `toolsetPresets`; an absent value gives the built-in presets only. All problems are reported:
 * preset by preset in the order of their names, then unknown compositions, then cycles.
 *
 * @throws TypeError when `gatewayVersion` is not a semantic version, which indicates a bug
 * @spec §2.2, §2.3, §7.3
 */
export const parsePresets = (config: unknown, { gatewayVersion }: PresetOptions): ParsedPresets => {
  const errors: PresetError[] = [];
  const report = (error: PresetError): void => void errors.push(error);
  const configured = parseConfigured(config, { gatewayVersion, report });
  const presets = [...BUILT_IN_PRESETS, ...configured.map(({ preset }) => preset)];
  const compositions = new Map(configured.map((one) => [one.preset.name, one.compositions]));
  reportUnknownPresets(
    compositions,
    presets.map(({ name }) => name),
    report,
  );
  reportCycles(compositions, report);
  if (errors.length > 0) return { ok: false, errors };
  const labelled = presets.filter(usesLabels).map(({ name }) => name);
  return {
    ok: true,
    presets: {
      byName: new Map(presets.map((preset) => [preset.name, preset])),
      usingLabels: withComposing(labelled, compositions),
    },
  };
};
