const words = {
  bigint: 'a number',
  boolean: 'a boolean',
  function: 'a function',
  number: 'a number',
  object: 'a mapping',
  string: 'a string',
  symbol: 'a symbol',
  undefined: 'nothing',
} as const;

/** What kind of value this is, as a refusal says it. The value itself may be a secret and is never shown. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : words[typeof value];
};
