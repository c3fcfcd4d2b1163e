import { BUILT_IN_PRESETS, type BuiltInPreset } from '@gateway/toolset-grammar';

/** `metadata.labels` of one server. @spec §2.2 */
export type Labels = Readonly<Record<string, string>>;

/**
 * One rule of a preset, parsed. A label rule without a `value` asks for the key's presence.
 *
 * @spec §2.2
 */
export type PresetRule =
  | { readonly kind: 'tool'; readonly name: string }
  | {
      readonly kind: 'pattern';
      /** As it is written. */
      readonly pattern: string;
      readonly matches: (name: string) => boolean;
    }
  | { readonly kind: 'server'; readonly name: string }
  | { readonly kind: 'workflow'; readonly name: string }
  | { readonly kind: 'readOnly' }
  | { readonly kind: 'preset'; readonly name: string }
  | { readonly kind: 'label'; readonly key: string; readonly value: string | undefined };

/** The keys of a rule, of which each rule sets exactly one. @spec §2.2 */
export type RuleKey = PresetRule['kind'];

/** A rule of `exclude`, which composes no preset. @spec §2.2 */
export type ExcludeRule = Exclude<PresetRule, { readonly kind: 'preset' }>;

/** One preset, parsed: the union of its includes minus its excludes. @spec §2.2 */
export interface Preset {
  readonly name: string;
  readonly description?: string;
  readonly builtIn: boolean;
  readonly include: readonly PresetRule[];
  readonly exclude: readonly ExcludeRule[];
}

/** A preset as `filter_tools` lists it. @spec §4.3 */
export interface KnownPreset {
  readonly name: string;
  readonly description?: string;
  readonly builtIn: boolean;
}

/**
 * The built-in presets and those of one configuration, with every composition known and free of cycles.
 * Identity means "unchanged".
 *
 * @spec §2.2, §2.3
 */
export interface PresetSet {
  /** By name: built-ins first, then the configured ones sorted by name. */
  readonly byName: ReadonlyMap<string, Preset>;
}

/** The first gateway that knows the `label` rule. @spec §2.2, §9.2 */
export const FIRST_GATEWAY_WITH_LABELS = '5.12.0';

/** The condition of a label rule on a server's labels: presence of the key, or one exact value. @spec §2.2 */
export interface LabelQuery {
  readonly key: string;
  readonly value: string | undefined;
}

/** Syntax of a label rule: `key=value`, `key=` or `key`. @spec §2.2 */
export const LABEL = /^([A-Za-z0-9][A-Za-z0-9._/-]*)(?:=([A-Za-z0-9._-]*))?$/;

/** Reads `<key>=<value>`, `<key>=` or `<key>`; nothing when the text is none of them. @spec §2.2 */
export const readLabelQuery = (text: string): LabelQuery | undefined => {
  const [, key, value] = LABEL.exec(text) ?? [];
  return key === undefined ? undefined : { key, value };
};

/** Returns whether the labels match the rule. @spec §2.2 */
export const hasMatchingLabel = (labels: Labels, { key, value }: LabelQuery): boolean =>
  Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(-)?/;

/**
 * Returns whether a gateway of this version supports the `label` rule. A pre-release precedes its release.
 *
 * @throws TypeError when the text is not a semantic version, which indicates a bug
 * @spec §7.3; Semantic Versioning 2.0.0 §11
 */
export const hasLabelSupport = (gatewayVersion: string): boolean => {
  const [found, major, minor, patch, preRelease] = VERSION.exec(gatewayVersion) ?? [];
  if (found === undefined) throw new TypeError(`"${gatewayVersion}" is no semantic version`);
  if (Number(major) !== 5) return Number(major) > 5;
  if (Number(minor) !== 12) return Number(minor) > 12;
  return Number(patch) > 0 || preRelease === undefined;
};

/** The presets that a toolset may name: built-ins first, then the configured ones sorted by name. @spec §4.3 */
export const listPresets = (presets: PresetSet): readonly KnownPreset[] =>
  Array.from(presets.byName.values(), ({ name, description, builtIn }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    builtIn,
  }));

const BUILT_IN: Readonly<Record<BuiltInPreset, Pick<Preset, 'description' | 'include'>>> = {
  'read-only': {
    description:
      'Every tool its server annotates read-only, plus every workflow whose step tools are all read-only',
    include: [{ kind: 'readOnly' }],
  },
  none: { description: 'No tools', include: [] },
  full: {
    description: "The whole catalogue, including the gateway's core tools",
    include: [{ kind: 'pattern', pattern: '*', matches: () => true }],
  },
};

/** The presets that every gateway has, in the order in which they are listed. @spec §2.3 */
export const BUILT_IN_PRESET_DEFINITIONS: readonly Preset[] = BUILT_IN_PRESETS.map((name) => ({
  name,
  ...BUILT_IN[name],
  builtIn: true,
  exclude: [],
}));
