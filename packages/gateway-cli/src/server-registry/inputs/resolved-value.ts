/** A part of a value, with its origin. */
export interface ValuePart {
  readonly text: string;
  /** The name under which a person gave it; absent for texts of the registry. */
  readonly answer?: string;
  readonly isSecret: boolean;
}

/** A value of a setting, in parts. */
export type ResolvedValue = readonly ValuePart[];

/** Returns the whole text of a value. */
export const valueText = (value: ResolvedValue): string => value.map(({ text }) => text).join('');

/** Returns whether a part of a value is a secret. */
export const hasSecret = (value: ResolvedValue): boolean => value.some(({ isSecret }) => isSecret);

/** Returns whether a person gave a part of a value. */
export const isAnswered = (value: ResolvedValue): boolean =>
  value.some(({ answer }) => answer !== undefined);

/** Returns a value that consists of a fixed text. */
export const fixedValue = (text: string): ResolvedValue => [{ text, isSecret: false }];
