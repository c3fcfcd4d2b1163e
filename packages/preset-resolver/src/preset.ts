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
  /** The presets that use a label rule, themselves or through a preset that they compose. */
  readonly usingLabels: ReadonlySet<string>;
}
