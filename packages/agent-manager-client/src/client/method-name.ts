/** `create_agent` as a program writes it: `createAgent`. */
export type MethodName<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<MethodName<Rest>>}`
  : Name;

/** The name of an operation as programs write it: `createAgent` for `create_agent`. Also its `operationId` in OpenAPI. */
export const methodName = <Name extends string>(name: Name): MethodName<Name> =>
  // The type above describes the same conversion.
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()) as MethodName<Name>;
