import { knownPresets, parsePresets, TOOLSET_PRESETS_SCHEMA } from '@gateway/preset-resolver';

interface PresetsSchema {
  readonly propertyNames: { readonly pattern: string };
  readonly additionalProperties: {
    readonly properties: {
      readonly include: {
        readonly items: {
          readonly properties: {
            readonly label: { readonly pattern: string };
            readonly pattern: { readonly maxLength: number };
          };
        };
      };
    };
  };
}

const builtInNames = (): readonly string[] => {
  const parsed = parsePresets(undefined, { gatewayVersion: '5.13.0' });
  return parsed.ok ? knownPresets(parsed.presets).map(({ name }) => name) : [];
};

/** Constants about presets for templates: built-in names, keys of a rule, patterns of names and labels, length of a glob. @spec §2.2, §2.3 */
export function presetConstants() {
  const { propertyNames, additionalProperties } =
    TOOLSET_PRESETS_SCHEMA as unknown as PresetsSchema;
  const rule = additionalProperties.properties.include.items.properties;
  return {
    builtInPresets: builtInNames().join(' '),
    presetName: propertyNames.pattern,
    presetLabel: rule.label.pattern,
    maxGlobLength: rule.pattern.maxLength,
    ruleKeys: Object.keys(rule).join(' '),
  };
}
