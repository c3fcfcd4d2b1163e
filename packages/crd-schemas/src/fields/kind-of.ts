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

/** Returns the kind of a value for a message. The value itself may be a secret and is never shown. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : words[typeof value];
};
