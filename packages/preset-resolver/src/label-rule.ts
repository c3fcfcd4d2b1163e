import type { Labels } from './preset.ts';

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
export const carriesLabel = (labels: Labels, { key, value }: LabelQuery): boolean =>
  Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(-)?/;

/**
 * Returns whether a gateway of this version supports the `label` rule. A pre-release precedes its release.
 *
 * @throws TypeError when the text is not a semantic version, which indicates a bug
 * @spec §7.3; Semantic Versioning 2.0.0 §11
 */
export const knowsLabelRule = (gatewayVersion: string): boolean => {
  const [found, major, minor, patch, preRelease] = VERSION.exec(gatewayVersion) ?? [];
  if (found === undefined) throw new TypeError(`"${gatewayVersion}" is no semantic version`);
  if (Number(major) !== 5) return Number(major) > 5;
  if (Number(minor) !== 12) return Number(minor) > 12;
  return Number(patch) > 0 || preRelease === undefined;
};
