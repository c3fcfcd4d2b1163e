import { compileGlob, MAX_GLOB_LENGTH } from '@gateway/catalog';
import { BUILT_IN_PRESETS, type Result } from '@gateway/toolset-grammar';
import {
  type PresetError,
  type PresetProblem,
  RULE_KEYS,
  type RuleList,
  type RuleProblem,
} from './preset-error.ts';
import {
  BUILT_IN_PRESET_DEFINITIONS,
  type ExcludeRule,
  hasLabelSupport,
  LABEL,
  type Preset,
  type PresetRule,
  type PresetSet,
  readLabelQuery,
  type RuleKey,
} from './preset.ts';

/** An object with open keys and unchecked values. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Returns whether a configuration value is a map. */
const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of the object's own key; nothing where the key is absent, as for every inherited name. */
const readOwnValue = (object: PlainObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Options of the parser of a rule. */
export interface RuleReading {
  readonly gatewayVersion: string;
  /** Takes what is wrong, and the rule's key that it is about. */
  readonly report: (problem: RuleProblem, key?: string) => void;
}

type Reader = (text: string, reading: RuleReading) => PresetRule | undefined;

const readPattern: Reader = (pattern, { report }) => {
  const glob = compileGlob(pattern);
  if (glob.ok) return { kind: 'pattern', pattern, matches: glob.matches };
  const long = pattern.length > MAX_GLOB_LENGTH;
  report(long ? { code: 'rule.long-pattern' } : { code: 'rule.bad-pattern', pattern }, 'pattern');
  return undefined;
};

const readLabel: Reader = (label, { gatewayVersion, report }) => {
  const query = readLabelQuery(label);
  if (query === undefined) report({ code: 'rule.bad-label', label }, 'label');
  const known = hasLabelSupport(gatewayVersion);
  if (!known) report({ code: 'rule.label-too-new', gatewayVersion }, 'label');
  return query === undefined || !known ? undefined : { kind: 'label', ...query };
};

const READERS: { readonly [Key in Exclude<RuleKey, 'readOnly'>]: Reader } = {
  tool: (name) => ({ kind: 'tool', name }),
  pattern: readPattern,
  server: (name) => ({ kind: 'server', name }),
  workflow: (name) => ({ kind: 'workflow', name }),
  preset: (name) => ({ kind: 'preset', name }),
  label: readLabel,
};

const readReadOnly = (value: unknown, { report }: RuleReading): PresetRule | undefined => {
  if (value === true) return { kind: 'readOnly' };
  if (value === false) report({ code: 'rule.read-only-false' }, 'readOnly');
  else report({ code: 'rule.wrong-type', key: 'readOnly' }, 'readOnly');
  return undefined;
};

const readKey = (key: RuleKey, value: unknown, reading: RuleReading): PresetRule | undefined => {
  if (key === 'readOnly') return readReadOnly(value, reading);
  if (typeof value === 'string') return READERS[key](value, reading);
  reading.report({ code: 'rule.wrong-type', key }, key);
  return undefined;
};

const isRuleKey = (key: string): key is RuleKey => RULE_KEYS.some((known) => known === key);

/** A key without a value, or with an empty text, is not set. */
const isSet = (rule: PlainObject, key: RuleKey): boolean => {
  const value = readOwnValue(rule, key);
  return value !== undefined && value !== null && value !== '';
};

/**
 * Parses one rule of a preset: an object that sets exactly one of the rule keys. Everything that is wrong is reported.
 *
 * @returns nothing when the rule is refused
 * @spec §2.2, §7.3
 */
const parseRule = (value: unknown, reading: RuleReading): PresetRule | undefined => {
  const rule = isPlainObject(value) ? value : {};
  const unknown = Object.keys(rule).filter((key) => !isRuleKey(key));
  for (const key of unknown) reading.report({ code: 'rule.unknown-key', key }, key);
  const [key, another] = RULE_KEYS.filter((known) => isSet(rule, known));
  if (key !== undefined && another === undefined)
    return readKey(key, readOwnValue(rule, key), reading);
  if (key !== undefined || unknown.length === 0) reading.report({ code: 'rule.not-one-key' });
  return undefined;
};

/** A composition: `include[index]` of a preset includes the preset `name`. */
export interface PresetInclusion {
  readonly name: string;
  readonly index: number;
}

/** The compositions of each configured preset, by its name. */
export type Compositions = ReadonlyMap<string, readonly PresetInclusion[]>;

type Report = (error: PresetError) => void;

const createPosition = (preset: string, index: number) =>
  ({ preset, list: 'include', index, path: [preset, 'include', index, 'preset'] }) as const;

/** Reports every composition of an unknown preset. @spec §7.3 */
const reportUnknownPresets = (
  compositions: Compositions,
  known: readonly string[],
  report: Report,
): void => {
  const names = new Set(known);
  for (const [preset, composed] of compositions)
    for (const { name, index } of composed)
      if (!names.has(name))
        report({ code: 'rule.unknown-preset', name, known, ...createPosition(preset, index) });
};

interface Frame {
  readonly preset: string;
  /** Number of the preset's compositions that have been followed. */
  followed: number;
}

/** Returns the frames of a cycle from its first preset on; the rule that closes the cycle is reported. */
const reportCycle = (
  frames: readonly Frame[],
  compositions: Compositions,
  report: Report,
): void => {
  const [first] = frames;
  if (first === undefined) return;
  const index = compositions.get(first.preset)?.[first.followed - 1]?.index ?? 0;
  const cycle = [...frames.map(({ preset }) => preset), first.preset];
  report({ code: 'rule.cycle', cycle, ...createPosition(first.preset, index) });
};

/** Follows one preset's compositions depth first, without recursion: a configuration may nest as deep as it likes. */
const followFrom = (
  root: string,
  compositions: Compositions,
  { closed, report }: { readonly closed: Set<string>; readonly report: Report },
): void => {
  const frames: Frame[] = [{ preset: root, followed: 0 }];
  const open = new Map([[root, 0]]);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const next = compositions.get(frame.preset)?.[frame.followed]?.name;
    frame.followed += 1;
    if (next === undefined) {
      closed.add(frame.preset);
      open.delete(frame.preset);
      frames.pop();
    } else if (open.has(next)) {
      reportCycle(frames.slice(open.get(next)), compositions, report);
    } else if (!closed.has(next)) {
      open.set(next, frames.length);
      frames.push({ preset: next, followed: 0 });
    }
  }
};

/** Reports each composition that closes a cycle, at the rule with which the cycle begins. @spec §7.3 */
const reportCycles = (compositions: Compositions, report: Report): void => {
  const closed = new Set<string>();
  for (const root of compositions.keys())
    if (!closed.has(root)) followFrom(root, compositions, { closed, report });
};

/** Options of the parser of a preset. */
export interface PresetReading {
  readonly gatewayVersion: string;
  readonly report: (error: PresetError) => void;
}

interface Source extends PresetReading {
  readonly name: string;
  readonly config: PlainObject;
}

const FIELDS = ['description', 'include', 'exclude'];
/** The name of a preset. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const reportPreset = (
  { name, report }: Source,
  problem: PresetProblem,
  ...path: readonly string[]
): void => report({ ...problem, preset: name, path: [name, ...path] });

/** The items of a list of rules. `exclude` may be absent. */
const listRules = (source: Source, list: RuleList): readonly unknown[] => {
  const rules = readOwnValue(source.config, list) ?? undefined;
  if (Array.isArray(rules)) return rules;
  if (rules === undefined && list === 'exclude') return [];
  const path = Object.hasOwn(source.config, list) ? [list] : [];
  reportPreset(source, { code: 'preset.bad-rules', list }, ...path);
  return [];
};

/** The rules of a list by position; `undefined` where a rule is refused. */
const readRules = <Rule extends PresetRule>(
  source: Source,
  list: RuleList,
  isAllowed: (rule: PresetRule) => rule is Rule,
): readonly (Rule | undefined)[] =>
  listRules(source, list).map((item, index) => {
    const position = { preset: source.name, list, index };
    const path = [source.name, list, index];
    const report = (problem: RuleProblem, key?: string): void =>
      source.report({ ...problem, ...position, path: key === undefined ? path : [...path, key] });
    const rule = parseRule(item, { gatewayVersion: source.gatewayVersion, report });
    if (rule === undefined || isAllowed(rule)) return rule;
    report({ code: 'rule.composing-exclude' }, 'preset');
    return undefined;
  });

const filterRules = <Rule>(rules: readonly (Rule | undefined)[]): readonly Rule[] =>
  rules.filter((rule) => rule !== undefined);

const isRule = (_rule: PresetRule): _rule is PresetRule => true;
const isExcludeRule = (rule: PresetRule): rule is ExcludeRule => rule.kind !== 'preset';

const readDescription = (source: Source): string => {
  const description = readOwnValue(source.config, 'description') ?? '';
  if (typeof description === 'string') return description;
  reportPreset(source, { code: 'preset.bad-description' }, 'description');
  return '';
};

/** A preset and where it composes others. */
export interface ParsedPreset {
  readonly preset: Preset;
  readonly compositions: readonly PresetInclusion[];
}

/**
 * Parses one preset of the configuration and reports all of its problems. The existence of composed presets is not
 * checked here. The valid rules are returned, so that other presets are checked against them.
 *
 * @spec §2.2, §7.3
 */
const parsePreset = (name: string, value: unknown, reading: PresetReading): ParsedPreset => {
  const readable = isPlainObject(value);
  const source: Source = { ...reading, name, config: readable ? value : { include: [] } };
  if (!NAME.test(name)) reportPreset(source, { code: 'preset.bad-name' });
  if (!readable) reportPreset(source, { code: 'preset.not-an-object' });
  for (const field of Object.keys(source.config).filter((key) => !FIELDS.includes(key)))
    reportPreset(source, { code: 'preset.unknown-field', field }, field);
  const description = readDescription(source);
  const include = readRules(source, 'include', isRule);
  const exclude = readRules(source, 'exclude', isExcludeRule);
  return {
    preset: {
      name,
      ...(description === '' ? {} : { description }),
      builtIn: false,
      include: filterRules(include),
      exclude: filterRules(exclude),
    },
    compositions: include.flatMap((rule, index) =>
      rule?.kind === 'preset' ? [{ name: rule.name, index }] : [],
    ),
  };
};

/** Options of the parser of `toolsetPresets`. */
export interface PresetOptions {
  /** The version of the gateway that reads the configuration, as in its package. @spec §2.2 rule `label` */
  readonly gatewayVersion: string;
}

/** The outcome of parsing `toolsetPresets`. A refusal is a value. @spec §7.3 */
export type ParsedPresets = Result<PresetSet, readonly PresetError[]>;

const BUILT_IN_NAMES: readonly string[] = BUILT_IN_PRESETS;

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
  const presets = [...BUILT_IN_PRESET_DEFINITIONS, ...configured.map(({ preset }) => preset)];
  const compositions = new Map(configured.map((one) => [one.preset.name, one.compositions]));
  reportUnknownPresets(
    compositions,
    presets.map(({ name }) => name),
    report,
  );
  reportCycles(compositions, report);
  if (errors.length > 0) return { ok: false, error: errors };
  return {
    ok: true,
    value: { byName: new Map(presets.map((preset) => [preset.name, preset])) },
  };
};

type Schema = Readonly<Record<string, unknown>>;

const RULES: { readonly [Key in RuleKey]: Schema } = {
  tool: { description: 'one tool by its exposed name', type: 'string', minLength: 1 },
  pattern: {
    description: 'tools whose exposed name matches the glob, such as `core_*`',
    type: 'string',
    minLength: 1,
    maxLength: MAX_GLOB_LENGTH,
  },
  server: {
    description: 'every tool of a server, a family, or the family of a member',
    type: 'string',
    minLength: 1,
  },
  workflow: { description: 'the tool of a workflow', type: 'string', minLength: 1 },
  readOnly: { description: 'every tool with `readOnlyHint: true`', type: 'boolean', const: true },
  preset: {
    description: 'what another preset selects, its own excludes applied',
    type: 'string',
    minLength: 1,
  },
  label: {
    description: 'tools of servers that carry the label: `key=value`, `key` or `key=`',
    type: 'string',
    pattern: LABEL.source,
  },
};

const createRulesSchema = (list: RuleList, description: string): Schema => ({
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
      include: createRulesSchema('include', 'what the preset selects'),
      exclude: createRulesSchema('exclude', 'what of it is left out'),
    },
    required: ['include'],
    additionalProperties: false,
  },
};
