import type { Labels } from './preset.ts';

/** The first gateway that knows the `label` rule. @spec §2.2, §9.2 */
export const FIRST_GATEWAY_WITH_LABELS = '5.12.0';

/** What a label rule asks of a server's labels: the key's presence, or one exact value. @spec §2.2 */
export interface LabelQuery {
  readonly key: string;
  readonly value: string | undefined;
}

/** What a label rule looks like: `key=value`, `key=` or `key`. @spec §2.2 */
export const LABEL = /^([A-Za-z0-9][A-Za-z0-9._/-]*)(?:=([A-Za-z0-9._-]*))?$/;

/** Reads `<key>=<value>`, `<key>=` or `<key>`; nothing when the text is none of them. @spec §2.2 */
export const readLabelQuery = (text: string): LabelQuery | undefined => {
  const [, key, value] = LABEL.exec(text) ?? [];
  return key === undefined ? undefined : { key, value };
};

/** Whether the labels carry what the rule asks for. @spec §2.2 */
export const carriesLabel = (labels: Labels, { key, value }: LabelQuery): boolean =>
  Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(-)?/;

/**
 * Whether a gateway of this version knows the `label` rule. A pre-release comes before its release.
 *
 * @throws TypeError when the text is no semantic version, which only a bug can cause
 * @spec §7.3; Semantic Versioning 2.0.0 §11
 */
export const knowsLabelRule = (gatewayVersion: string): boolean => {
  const [found, major, minor, patch, preRelease] = VERSION.exec(gatewayVersion) ?? [];
  if (found === undefined) throw new TypeError(`"${gatewayVersion}" is no semantic version`);
  if (Number(major) !== 5) return Number(major) > 5;
  if (Number(minor) !== 12) return Number(minor) > 12;
  return Number(patch) > 0 || preRelease === undefined;
};
