import { MAX_GLOB_LENGTH } from '@gateway/catalog';
import { LABEL, type RuleKey } from './preset.ts';
import { NAME } from './parse-presets.ts';
import { RULE_KEYS, type RuleList } from './preset-error.ts';

type Schema = Readonly<Record<string, unknown>>;

const RULES: { readonly [Key in RuleKey]: Schema } = {
  tool: { description: 'one tool by its exposed name', type: 'string', minLength: 1 },
  pattern: {
    description: 'tools whose exposed name matches the glob, such as `core_*`',
    ...{ type: 'string', minLength: 1, maxLength: MAX_GLOB_LENGTH },
  },
  server: {
    description: 'every tool of a server, a family, or the family of a member',
    ...{ type: 'string', minLength: 1 },
  },
  workflow: { description: 'the tool of a workflow', type: 'string', minLength: 1 },
  readOnly: { description: 'every tool with `readOnlyHint: true`', type: 'boolean', const: true },
  preset: {
    description: 'what another preset selects, its own excludes applied',
    ...{ type: 'string', minLength: 1 },
  },
  label: {
    description: 'tools of servers that carry the label: `key=value`, `key` or `key=`',
    ...{ type: 'string', pattern: LABEL.source },
  },
};

const rules = (list: RuleList, description: string): Schema => ({
  description,
  type: 'array',
  items: {
    description: 'exactly one key',
    type: 'object',
    properties: Object.fromEntries(
      RULE_KEYS.filter((key) => list === 'include' || key !== 'preset').map((key) => [
        key,
        RULES[key],
      ]),
    ),
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  },
});

/**
 * JSON Schema (draft 7 and later) of `toolsetPresets`, for editors and charts. `parsePresets` accepts every value that it accepts,
 * except for redefined built-in presets, invalid compositions, and globs that do not compile, which a schema cannot express.
 *
 * @spec §2.2
 */
export const TOOLSET_PRESETS_SCHEMA: Schema = {
  type: 'object',
  propertyNames: { pattern: NAME.source },
  additionalProperties: {
    type: 'object',
    properties: {
      description: { description: 'what the preset is for', type: 'string' },
      include: rules('include', 'what the preset selects'),
      exclude: rules('exclude', 'what of it is left out'),
    },
    required: ['include'],
    additionalProperties: false,
  },
};
